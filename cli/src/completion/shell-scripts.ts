// The completion scripts of the shells. Each passes what was typed to `yagura __complete`.

/**
 * bash passes the line itself: its own words are split at colons and equals signs and keep their quotes. The
 * others pass words without quotes and quote what is chosen.
 */
export const shellScripts: Readonly<Record<string, string>> = {
  bash: `_yagura() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(yagura __complete --bash "$COMP_WORDBREAKS" -- "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -o default -F _yagura yagura
`,
  zsh: `#compdef yagura
_yagura() {
  local -a found
  local line name
  while IFS= read -r line; do
    name="\${\${line%%$'\\t'*}//\\\\/\\\\\\\\}"
    found+=("\${name//:/\\\\:}:\${line#*$'\\t'}")
  done < <(yagura __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  if (( \${#found} )); then _describe 'yagura' found; else _files; fi
}
if [[ "$funcstack[1]" == _yagura ]]; then _yagura "$@"; else compdef _yagura yagura; fi
`,
  fish: `function __yagura_complete
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  set -l last (string unescape -- "$typed"; or string unescape -- "$typed\\""; or string unescape -- "$typed'")
  set -l found (yagura __complete -- $words[2..-1] "$last" 2>/dev/null)
  if count $found >/dev/null
    printf '%s\\n' $found
  else
    __fish_complete_path "$typed"
  end
end
complete -c yagura -f -a '(__yagura_complete)'
`,
};
