import type { Talk } from '../talk.ts'
import { CHANGES } from './command-change-wordings.ts'
import { run, SPOKEN } from './command-wordings.ts'
import { fileName, folderName, layOutFiles, line, pathName } from './file-words.ts'
import { somePath } from './files.ts'
import { denied, tellDenied } from './trouble.ts'
import type { Task } from './task.ts'

/** What a command prints; made up, because what really runs would never print the same twice. */
const PRINTS: Readonly<Record<string, (talk: Talk) => string>> = {
  time: ({ random, slot }) =>
    `${slot('weekday').slice(0, 3)} ${slot('month').slice(0, 3)} ${random.between(1, 28)} ${random.between(10, 23)}:${random.between(10, 59)}:${random.between(10, 59)} CET ${random.between(2025, 2028)}`,
  branch: ({ random, slot }) =>
    random.chance(0.6)
      ? slot('branch')
      : `${slot('coined').toLowerCase()}-${slot('noun').replaceAll(' ', '-')}`,
  status: talk =>
    Array.from(
      { length: talk.random.between(1, 3) },
      () => `${talk.random.pick([' M', '??', 'A ', 'D '])} ${pathName(talk)}`,
    )
      .join('\n')
      .trim(),
  log: talk =>
    Array.from({ length: talk.random.between(2, 4) }, () => `${hex(talk, 7)} ${line(talk)}`).join('\n'),
  disk: ({ random }) =>
    `Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda${random.between(1, 9)}       ${random.between(50, 900)}G  ${random.between(10, 49)}G  ${random.between(10, 400)}G  ${random.between(3, 97)}% /`,
  ram: ({ random }) =>
    `Mem: ${random.between(4, 64)}Gi ${random.between(1, 9)}.${random.below(10)}Gi ${random.between(1, 9)}.${random.below(10)}Gi`,
  folder: ({ slot }) => `/home/${slot('person').toLowerCase()}/${folderName({ slot })}`,
  user: ({ slot }) => slot('person').toLowerCase(),
  host: ({ slot }) => slot('coined').toLowerCase(),
  uptime: ({ random }) => `up ${random.between(2, 23)} hours, ${random.between(2, 59)} minutes`,
  kernel: ({ random }) => `Linux ${random.between(4, 6)}.${random.between(1, 19)}.${random.between(0, 99)}`,
  version: ({ random }) => `${random.between(0, 24)}.${random.between(0, 30)}.${random.between(0, 20)}`,
  lines: ({ random }) => String(random.between(2, 9_999)),
  size: ({ random }) => `${random.between(1, 999)}${random.pick(['K', 'M', 'G'])}`,
  script: talk => line(talk),
}

const hex = ({ random }: Talk, length: number): string =>
  Array.from({ length }, () => '0123456789abcdef'[random.below(16)]).join('')

/** Something that a shell prints. */
const anyOutput = (talk: Talk): string => {
  const { random } = talk
  if (random.chance(0.18)) return ''
  if (random.chance(0.4)) return PRINTS[random.pick(Object.keys(PRINTS))]!(talk)
  return Array.from({ length: random.pick([1, 1, 1, 2, 3, 4]) }, () =>
    random.chance(0.5) ? line(talk) : fileName(talk),
  ).join('\n')
}

const anyCommand = (talk: Talk): string => {
  const { random, slot } = talk
  if (random.chance(0.45)) return slot('command')
  const makers: readonly (() => string)[] = [
    () => `cat ${pathName(talk)}`,
    () => `ls ${random.pick(['-l ', '-la ', '-a ', ''])}${folderName(talk)}`,
    () => `grep ${random.pick(['', '-r ', '-i ', '-n '])}${slot('noun').split(' ')[0]} ${pathName(talk)}`,
    () => `echo ${random.pick([slot('noun'), `"${line(talk)}"`, slot('coined')])}`,
    () => `git checkout ${random.pick(['', '-b '])}${slot('branch')}`,
    () => `git commit -m "${line(talk).replaceAll('"', '')}"`,
    () => `npm ${random.pick(['install', 'run', 'uninstall', 'info'])} ${slot('package')}`,
    () => `pip ${random.pick(['install', 'show', 'uninstall'])} ${slot('package')}`,
    () => `python3 ${fileName(talk, ['py'])}`,
    () => `node ${fileName(talk, ['js'])}`,
    () => `head -n ${slot('number')} ${pathName(talk)}`,
    () => `tail -n ${slot('number')} ${pathName(talk)}`,
    () => `touch ${pathName(talk)}`,
    () => `wc -l ${pathName(talk)}`,
    () => `mkdir ${folderName(talk)}`,
    () => `./${fileName(talk, ['sh'])}`,
    () => `make ${slot('noun').split(' ')[0]}`,
    () => `docker ${random.pick(['run', 'stop', 'logs', 'start'])} ${slot('coined').toLowerCase()}`,
    () => `sort ${pathName(talk)}`,
    () => `${slot('program')} --help`,
  ]
  return random.pick(makers)()
}

/** What went wrong, as shells and programs say it. */
const failure = (talk: Talk, command: string): { output: string; code: number } => {
  const { random, slot } = talk
  const [program = ''] = command.split(' ')
  const target = command.split(' ').at(-1)!
  return random.pick([
    { output: `bash: ${program}: command not found`, code: 127 },
    { output: `${program}: ${target}: No such file or directory`, code: random.pick([1, 2]) },
    { output: `${program}: cannot access '${target}': Permission denied`, code: random.pick([1, 2]) },
    { output: `Error: ${slot('noun')} failed`, code: 1 },
    { output: `fatal: not a git repository (or any of the parent directories): .git`, code: 128 },
    { output: `ModuleNotFoundError: No module named '${slot('package')}'`, code: 1 },
    { output: `error: ${line(talk)}`, code: random.between(1, 4) },
    { output: `Segmentation fault`, code: 139 },
  ])
}

/** What the model says of a result: the output as it is, or the trouble. */
export function told(result: string): string {
  const [first = '', ...lines] = result.split('\n')
  const output = lines.join('\n')
  const code = /exit code (\d+)$/.exec(first)?.[1] ?? '0'
  if (code !== '0') return `It failed with exit code ${code}: ${output}`
  if (output === '(no output)') return 'It ran and printed nothing.'
  return output.includes('\n') ? `It printed:\n${output}` : `It printed: ${output}`
}

export const factsOf = (result: string): string[] => {
  const [, first = ''] = result.split('\n')
  return [first === '(no output)' ? 'nothing' : first]
}

export async function runCommand(talk: Talk, command: string): Promise<void> {
  const refused = denied(talk, 0.12)
  const outcome = refused ?? (talk.random.chance(0.15) ? failure(talk, command) : { output: anyOutput(talk) })
  const result = await talk.call('terminal', { command }, outcome)
  talk.focus = { command, output: result }
  if (refused) talk.answer(tellDenied(`${command} was not run`, result), { kind: 'fact', facts: [command] })
  else talk.answer(told(result), { kind: 'fact', facts: factsOf(result) })
}

export const commands: readonly Task[] = [
  {
    id: 'run',
    weight: 12,
    async run(talk) {
      const command = anyCommand(talk)
      const { random } = talk
      const shown = random.chance(0.2) ? `\`${command}\`` : random.chance(0.06) ? `"${command}"` : command
      if (shown !== command && shown.startsWith('"') && command.includes('"')) return false
      const tail = shown === command ? 0.05 : 0.2
      talk.ask(talk.word(run, { command: shown }, { head: 0.1, tail }))
      await runCommand(talk, command)
      return undefined
    },
  },
  ...SPOKEN.map(({ command, answer, output, say }): Task => ({
    id: `ask-${output}`,
    weight: 0.5,
    async run(talk) {
      layOutFiles(talk)
      const { random } = talk
      const slots = { program: talk.slot('program'), path: somePath(talk), folder: folderName(talk) }
      talk.ask(talk.word(say, slots))
      const about = command.startsWith('wc')
        ? slots.path
        : command.startsWith('du')
          ? slots.folder
          : slots.program
      const typed = command.replace('{a}', about)
      const refused = denied(talk, 0.06)
      const isMissing = command.includes('--version') && random.chance(0.25)
      const printed = command.startsWith('wc')
        ? `${PRINTS[output]!(talk)} ${about}`
        : command.startsWith('du')
          ? `${PRINTS[output]!(talk)}\t${about}`
          : PRINTS[output]!(talk)
      const outcome =
        refused ??
        (isMissing ? { output: `bash: ${about}: command not found`, code: 127 } : { output: printed })
      const result = await talk.call('terminal', { command: typed }, outcome)
      talk.focus = { command: typed, output: result }
      const out = result.split('\n').slice(1).join('\n')
      if (refused) talk.answer(tellDenied(`${typed} was not run`, result), { kind: 'fact', facts: [typed] })
      else if (isMissing) talk.answer(told(result), { kind: 'fact', facts: ['127'] })
      else if (command.startsWith('wc'))
        talk.answer(`${about} has ${out.split(' ')[0]} lines.`, { kind: 'fact', facts: [out.split(' ')[0]!] })
      else if (command.startsWith('du'))
        talk.answer(`${about} takes ${out.split('\t')[0]}.`, { kind: 'fact', facts: [out.split('\t')[0]!] })
      else
        talk.answer(answer.replace('{a}', about).replace('{out}', out), {
          kind: 'fact',
          facts: [out.split('\n')[0]!],
        })
    },
  })),
  ...CHANGES.map(({ id, command, done, not, say }): Task => ({
    id,
    weight: id === 'delete' ? 1.5 : 0.8,
    async run(talk) {
      layOutFiles(talk)
      const path = talk.random.chance(0.9) ? somePath(talk) : pathName(talk)
      const slots: Record<string, string> = {
        path,
        new: pathName(talk),
        folder: folderName(talk),
        script: fileName(talk, ['py']),
        package: talk.slot('package'),
        zip: fileName(talk, ['zip']),
      }
      talk.ask(talk.word(say, slots))
      const fill = (text: string) =>
        text.replace(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? `{${name}}`)
      await change(talk, fill(command), fill(done), fill(not), path)
      talk.focus = {
        path: id === 'rename' || id === 'copy' ? slots['new'] : id === 'make-folder' ? slots['folder'] : path,
      }
    },
  })),
]

/** Run a command that changes something, and say that it was done, or what kept it from being done. */
export async function change(
  talk: Talk,
  command: string,
  done: string,
  not: string,
  path: string,
): Promise<void> {
  const isThere = talk.desk.files.has(path) || !/^(rm|mv|cp) /.test(command)
  const refused = denied(talk)
  const missing = {
    output: `${command.split(' ')[0]}: cannot find '${path}': No such file or directory`,
    code: 1,
  }
  const outcome = refused ?? (isThere ? { output: done.includes('{out}') ? line(talk) : '' } : missing)
  const result = await talk.call('terminal', { command }, outcome)
  talk.focus = { command, path, output: result }
  if (refused) talk.answer(tellDenied(not, result), { kind: 'fact', facts: [not] })
  else if (!isThere) talk.answer(told(result), { kind: 'fact', facts: factsOf(result) })
  else {
    const out = result.split('\n').slice(1).join('\n')
    talk.answer(done.replace('{out}', out), {
      kind: 'fact',
      facts: [done.includes('{out}') ? out : done.split(' ').at(-1)!.replace(/\.$/, '')],
    })
  }
}
