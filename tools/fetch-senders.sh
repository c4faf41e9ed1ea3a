#!/usr/bin/env bash
# Unpacks programs of Debian that send alerts into a folder, without installing them: the tests in
# server/test/senders run them. Usage: tools/fetch-senders.sh FOLDER
set -euo pipefail
root=$(realpath "$1")
senders=(zabbix-proxy-sqlite3 netdata-core netdata-plugins-bash nagios4-core nagios4-common icinga2-bin icinga2-common
  monit smartmontools)
mail=(bsd-mailx msmtp)

archives=$(mktemp -d)
trap 'rm -rf "$archives"' EXIT
cd "$archives"
# The libraries that this machine does not have. A mail server counts as present with msmtp-mta.
libraries=$(apt-get install --simulate --no-install-recommends "${senders[@]}" "${mail[@]}" msmtp-mta | awk '/^Inst/ { print $2 }')
# shellcheck disable=SC2086 # one package a word
apt-get download -qq $(printf '%s\n' "${senders[@]}" "${mail[@]}" $libraries | sort -u)
for archive in *.deb; do dpkg-deb --extract "$archive" "$root"; done
