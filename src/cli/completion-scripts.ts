/** The scripts that connect a shell's Tab to the program, by shell. */
import { completionCommand } from "./arguments.js";
import { shellCompletes } from "./complete.js";

export const completionScripts: Readonly<Record<string, string>> = {
  // In bash, the program is asked by the name that was typed, so it need not be on the path.
  bash: `_aro_hcp() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      ${shellCompletes.file}) compopt -o default ;;
      ${shellCompletes.directory}) compopt -o dirnames ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("$1" ${completionCommand} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -F _aro_hcp aro-hcp`,

  zsh: `#compdef aro-hcp
_aro_hcp() {
  local line
  local -a candidates
  for line in "\${(@f)$("\${words[1]}" ${completionCommand} "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}"; do
    case "$line" in
      "") ;;
      ${shellCompletes.file}) _files ;;
      ${shellCompletes.directory}) _files -/ ;;
      *$'\\t'*) candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      *) candidates+=("\${line//:/\\\\:}") ;;
    esac
  done
  (( \${#candidates} )) && _describe -V 'aro-hcp' candidates
}
if [[ "\${funcstack[1]}" = _aro_hcp ]]; then
  _aro_hcp "$@"
else
  compdef _aro_hcp aro-hcp
fi`,

  fish: `function __aro_hcp_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (command $words[1] ${completionCommand} $words[2..-1] 2> /dev/null)
    switch $line
      case ${shellCompletes.file}
        __fish_complete_path (commandline -ct)
      case ${shellCompletes.directory}
        __fish_complete_directories (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c aro-hcp -f -k -a '(__aro_hcp_complete)'`,

  // Without a result, PowerShell completes files and directories itself.
  powershell: `Register-ArgumentCompleter -Native -CommandName aro-hcp -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $before = @($words | Select-Object -Skip 1)
  if ($wordToComplete -ne '' -and $before.Count -gt 0) { $before = @($before | Select-Object -SkipLast 1) }
  $current = if ($wordToComplete -eq '') { '""' } else { $wordToComplete }
  & $words[0] ${completionCommand} @before $current 2> $null | Where-Object { $_ -notmatch '^:' } | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
  }
}`,
};
