// Completion scripts for bash, zsh and fish. All three ask the same question: given the words so far, which words fit?
// The words come from the table of commands only, never from a repository, so nothing in them needs quoting.
import type { CommandSpec } from './command.ts';
import { GLOBAL_OPTIONS } from './program.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/** Words already typed, options left out, and what may follow them. */
type Position = { readonly path: string; readonly isCommand: boolean; readonly words: readonly string[] };

const WRITERS = { bash, zsh, fish };

export function completionScript(shell: Shell, specs: readonly CommandSpec[]): string {
  const always = [...GLOBAL_OPTIONS.map((option) => option.long ?? ''), '--help'];
  return WRITERS[shell](positionsOf(specs), always, valueOptions(specs));
}

function positionsOf(specs: readonly CommandSpec[]): Position[] {
  const groups = new Map<string, Set<string>>([['', new Set()]]);
  for (const { path } of specs) {
    const [first = '', second] = path.split(' ');
    groups.get('')?.add(first);
    if (second !== undefined) groups.set(first, (groups.get(first) ?? new Set()).add(second));
  }
  const commands = specs.map(({ path, args, options }) => {
    const flags = (options ?? []).map((option) => longFlag(option.flags));
    return { path, isCommand: true, words: [...(args?.[0]?.choices ?? []), ...flags] };
  });
  return [...[...groups].map(([path, words]) => ({ path, isCommand: false, words: [...words] })), ...commands];
}

/** Options whose next word is a value and therefore no part of the command's name. */
function valueOptions(specs: readonly CommandSpec[]): string[] {
  const all = [
    ...GLOBAL_OPTIONS.map((option) => option.flags),
    ...specs.flatMap((spec) => (spec.options ?? []).map(({ flags }) => flags)),
  ];
  const names = all.filter((flags) => flags.includes('<')).flatMap((flags) => flags.match(/--?[a-zA-Z][a-z-]*/g) ?? []);
  return [...new Set(names)];
}

function longFlag(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}

function bash(positions: readonly Position[], always: readonly string[], withValue: readonly string[]): string {
  return `# bash completion for lazarus; load it with: source <(lazarus completion bash)
_lazarus() {
  local word path='' skip='' words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "$skip" ]; then skip=''; continue; fi
    case $word in
      ${withValue.join('|')}) skip=1 ;;
      -*) ;;
      *) path="\${path:+$path }$word" ;;
    esac
  done
  case $path in
${cases(positions, (words) => `words='${words.join(' ')}'`)}
  esac
  COMPREPLY=($(compgen -W "$words ${always.join(' ')}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _lazarus lazarus
`;
}

function zsh(positions: readonly Position[], always: readonly string[], withValue: readonly string[]): string {
  return `#compdef lazarus
# zsh completion for lazarus; load it with: source <(lazarus completion zsh)
_lazarus() {
  local word found='' skip=''
  local -a fitting
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      ${withValue.join('|')}) skip=1 ;;
      -*) ;;
      *) found="\${found:+$found }$word" ;;
    esac
  done
  case $found in
${cases(positions, (words) => `fitting=(${words.join(' ')})`)}
  esac
  compadd -- $fitting ${always.join(' ')}
  _files
}
compdef _lazarus lazarus
`;
}

function fish(positions: readonly Position[], always: readonly string[], withValue: readonly string[]): string {
  return `# fish completion for lazarus; load it with: lazarus completion fish | source
function __lazarus_words
  set -l path
  set -l skip ''
  for word in (commandline -opc)[2..-1]
    if test -n "$skip"
      set skip ''
      continue
    end
    switch $word
      case ${withValue.join(' ')}
        set skip 1
      case '-*'
      case '*'
        set -a path $word
    end
  end
  switch "$path"
${positions.map((at) => `    case ${patterns(at, (path) => `'${path} *'`).join(' ')}\n      string split ' ' '${at.words.join(' ')}'`).join('\n')}
  end
  string split ' ' '${always.join(' ')}'
end
complete -c lazarus -a '(__lazarus_words)'
`;
}

function cases(positions: readonly Position[], assign: (words: readonly string[]) => string): string {
  return positions
    .map((at) => `    ${patterns(at, (path) => `'${path} '*`).join('|')}) ${assign(at.words)} ;;`)
    .join('\n');
}

/** After the words of a command come its arguments, so more words still mean that command. */
function patterns({ path, isCommand }: Position, longer: (path: string) => string): string[] {
  return isCommand ? [`'${path}'`, longer(path)] : [`'${path}'`];
}
