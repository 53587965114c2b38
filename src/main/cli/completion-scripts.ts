import type { Argument, Command, Option } from 'commander'

type Shell = 'bash' | 'zsh' | 'fish'

/**
 * The completions after some words of a command line. `at` is the path of the command, such as `/chats/list`.
 */
type Place = {
  at: string
  /** Every way to type this command: the path of its group, then its own name or one of its aliases. */
  typed: string[]
  commands: { name: string; about: string }[]
  options: { flags: string[]; about: string; takes: Takes; values: readonly string[] }[]
  /** The allowed values of its argument; empty if any value is allowed. */
  values: readonly string[]
}
type Takes = 'nothing' | 'text' | 'file' | 'folder'

/**
 * Return a script that completes commands, options and their values, generated from the definitions of the
 * commands. The script is self-contained: completions that call the program at each Tab, such as
 * @bomb.sh/tab, start Node each time.
 */
export const completionScript = (program: Command, shell: Shell): string =>
  ({ bash: bashScript, zsh: zshScript, fish: fishScript })[shell](placesIn(program, ''))

function placesIn(command: Command, at: string, typed: string[] = [at]): Place[] {
  const help = command.createHelp()
  const subcommands = help.visibleCommands(command).filter(each => each.name() !== 'help')
  // A group without a subcommand runs its default command.
  const standard = defaultOf(command)
  const options = [command, ...(standard ? [standard] : [])].flatMap(each => help.visibleOptions(each))
  const place = {
    at,
    typed,
    commands: subcommands.flatMap(each =>
      [each.name(), ...each.aliases()].map(name => ({ name, about: each.description() })),
    ),
    options: [...new Map(options.map(option => [option.long, option])).values()].map(optionOf),
    values: command.registeredArguments.flatMap((argument: Argument) => argument.argChoices ?? []),
  }
  const deeper = subcommands.flatMap(each =>
    placesIn(
      each,
      `${at}/${each.name()}`,
      [each.name(), ...each.aliases()].map(name => `${at}/${name}`),
    ),
  )
  return [place, ...deeper]
}

/** The default command of a group. Commander keeps its name in a private field. */
function defaultOf(group: Command): Command | undefined {
  const { _defaultCommandName: name } = group as unknown as { _defaultCommandName?: string | null }
  return group.commands.find(each => each.name() === name)
}

function optionOf({ short, long, description, argChoices, flags }: Option): Place['options'][number] {
  const [, value = ''] = /[<[]([^>\]]+)/.exec(flags) ?? []
  const takes =
    value === '' ? 'nothing' : value === 'dir' ? 'folder' : value.startsWith('file') ? 'file' : 'text'
  return {
    flags: [short, long].filter(flag => flag !== undefined),
    about: description,
    takes,
    values: argChoices ?? [],
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const namesOf = (place: Place) => place.commands.map(({ name }) => name)

/** The flags that take a value: the word after such a flag is not a command. */
const flagsWithValue = (places: readonly Place[]): string =>
  [
    ...new Set(
      places.flatMap(({ options }) =>
        options.flatMap(({ takes, flags }) => (takes === 'nothing' ? [] : flags)),
      ),
    ),
  ].join('|')

/** The lines of a shell `case` that lead from a place and the next word to the next place. */
const steps = (places: readonly Place[]): string =>
  places
    .filter(({ at }) => at !== '')
    .map(({ at, typed }) => `      ${typed.join('|')}) at=${at} ;;`)
    .join('\n')

/** The lines of a shell `case` with the values that each option of a place takes. */
const valueCases = (places: readonly Place[], give: (option: Place['options'][number]) => string): string =>
  places
    .flatMap(({ at, options }) =>
      options
        .filter(({ takes }) => takes !== 'nothing')
        .map(
          option => `    ${option.flags.map(flag => `${at}:${flag}`).join('|')}) ${give(option)}; return ;;`,
        ),
    )
    .join('\n')

const bashScript = (
  places: readonly Place[],
): string => `# Completion of talaria for bash, made by: talaria completion bash
_talaria() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in ${flagsWithValue(places)}) i=$((i + 1)); continue ;; esac
    case $at/\${COMP_WORDS[i]} in
${steps(places)}
    esac
  done
  COMPREPLY=()
  case $at:$prev in
${valueCases(places, ({ values, takes }) =>
  takes === 'folder'
    ? 'mapfile -t COMPREPLY < <(compgen -d -- "$cur")'
    : takes === 'file'
      ? 'mapfile -t COMPREPLY < <(compgen -f -- "$cur")'
      : `mapfile -t COMPREPLY < <(compgen -W ${quoted(values.join(' '))} -- "$cur")`,
)}
  esac
  local names= flags=
  case $at in
${places
  .map(
    place =>
      `    ${quoted(place.at)}) names=${quoted([...namesOf(place), ...place.values].join(' '))} flags=${quoted(place.options.flatMap(({ flags }) => flags).join(' '))} ;;`,
  )
  .join('\n')}
  esac
  if [[ $cur == -* ]]; then names=$flags; fi
  mapfile -t COMPREPLY < <(compgen -W "$names" -- "$cur")
}
complete -o default -F _talaria talaria
`

const described = (name: string, about: string) => quoted(`${name}:${about}`)

const zshScript = (places: readonly Place[]): string => `#compdef talaria
# Completion of talaria for zsh, made by: talaria completion zsh
_talaria() {
  local at= i
  local -a names flags
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in ${flagsWithValue(places)}) i=$((i + 1)); continue ;; esac
    case $at/$words[i] in
${steps(places)}
    esac
  done
  case $at:$words[CURRENT-1] in
${valueCases(places, ({ values, takes }) =>
  takes === 'folder'
    ? '_files -/'
    : takes === 'file'
      ? '_files'
      : `compadd -- ${values.map(quoted).join(' ')}`,
)}
  esac
  case $at in
${places
  .map(
    ({ at, commands, values, options }) => `    ${quoted(at)})
      names=(${[...commands.map(({ name, about }) => described(name, about)), ...values.map(quoted)].join(' ')})
      flags=(${options.flatMap(({ flags, about }) => flags.map(flag => described(flag, about))).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then _describe option flags
  elif (( $#names )); then _describe command names
  else _files
  fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
if [[ $funcstack[1] == _talaria ]]; then _talaria "$@"; else compdef _talaria talaria; fi
`

const inFish = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`

const fishScript = (
  places: readonly Place[],
): string => `# Completion of talaria for fish, made by: talaria completion fish
function __talaria_at
  set -l at ''
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
      continue
    end
    switch $word
      case ${flagsWithValue(places).replaceAll('|', ' ')}
        set skip 1
        continue
    end
    switch $at/$word
${places
  .filter(({ at }) => at !== '')
  .map(({ at, typed }) => `      case ${typed.join(' ')}\n        set at ${at}`)
  .join('\n')}
    end
  end
  test "$at" = "$argv[1]"
end
${places.flatMap(fishLines).join('\n')}
`

function fishLines({ at, commands, values, options }: Place): string[] {
  const begin = `complete -c talaria -n ${inFish(`__talaria_at "${at}"`)}`
  return [
    ...commands.map(({ name, about }) => `${begin} -f -a ${name} -d ${inFish(about)}`),
    ...values.map(value => `${begin} -f -a ${value}`),
    ...options.map(({ flags, about, takes, values }) => {
      const names = flags.map(flag => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
      const value =
        takes === 'nothing'
          ? ''
          : takes === 'folder'
            ? ' -x -a "(__fish_complete_directories)"'
            : takes === 'file'
              ? ' -r'
              : ` -x${values.length > 0 ? ` -a ${inFish(values.join(' '))}` : ''}`
      return `${begin} ${names.join(' ')}${value} -d ${inFish(about)}`
    }),
  ]
}
