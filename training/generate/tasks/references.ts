import { foldersOf, namesIn } from '../desk/files-of.ts'
import { change, runCommand } from './commands.ts'
import { fileName } from './file-words.ts'
import { list, read } from './files.ts'
import * as words from './reference-wordings.ts'
import { denied, tellDenied } from './trouble.ts'
import type { Task } from './task.ts'

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']

/** Which of several is meant, in words. */
function ordinal(pick: <T>(list: readonly T[]) => T, at: number, count: number): string {
  return at === count - 1 && count > 1 ? pick(['last', 'last', ORDINALS[at] ?? 'last']) : ORDINALS[at]!
}

export const references: readonly Task[] = [
  {
    id: 'yes-that-one',
    weight: 5,
    async run(talk) {
      const { meant } = talk.focus
      if (meant === undefined) return false
      talk.ask(talk.word(words.yesWordings, {}, { head: 0, tail: 0.05 }))
      if (talk.desk.files.has(meant)) await read(talk, meant, { path: meant })
      else await list(talk, meant, { path: meant })
      return undefined
    },
  },
  {
    id: 'delete-it',
    weight: 1.6,
    async run(talk) {
      const { path } = talk.focus
      if (path === undefined || !talk.desk.files.has(path)) return false
      talk.ask(talk.word(words.deleteIt))
      await change(talk, `rm ${path}`, `Deleted ${path}.`, `${path} was not deleted`, path)
      return undefined
    },
  },
  ...(['rename', 'copy'] as const).map((way): Task => ({
    id: `${way}-it`,
    weight: 0.9,
    async run(talk) {
      const { path } = talk.focus
      if (path === undefined || !talk.desk.files.has(path)) return false
      const to = fileName(talk)
      talk.ask(talk.word(way === 'rename' ? words.renameIt : words.copyIt, { new: to }))
      const [verb, done] = way === 'rename' ? ['mv', 'Renamed'] : ['cp', 'Copied']
      await change(
        talk,
        `${verb} ${path} ${to}`,
        `${done} ${path} to ${to}.`,
        `${path} was not ${done.toLowerCase()}`,
        path,
      )
      if (talk.desk.files.has(to)) talk.focus = { path: to }
      return undefined
    },
  })),
  {
    id: 'show-it',
    weight: 1.4,
    async run(talk) {
      const { path } = talk.focus
      if (path === undefined || !talk.desk.files.has(path)) return false
      talk.ask(talk.word(words.showIt))
      await read(talk, path, { path })
      return undefined
    },
  },
  {
    id: 'pick-one',
    weight: 6,
    async run(talk) {
      const { listed } = talk.focus
      if (!listed || listed.names.length === 0) return false
      const shown = inListedOrder(talk.desk.files, listed)
      const at = talk.random.below(Math.min(shown.length, 6))
      const { path, isFolder } = shown[at]!
      const which = ordinal(talk.random.pick, at, shown.length)
      talk.ask(talk.word(words.pickOne, { which, number: String(at + 1) }))
      if (isFolder) await list(talk, path, { path })
      else await read(talk, path, { path })
      return undefined
    },
  },
  {
    id: 'delete-one',
    weight: 3,
    async run(talk) {
      const { listed } = talk.focus
      if (!listed || listed.names.length === 0) return false
      const shown = inListedOrder(talk.desk.files, listed)
      const at = talk.random.below(Math.min(shown.length, 6))
      const { path, isFolder } = shown[at]!
      if (isFolder) return false
      talk.ask(talk.word(words.deleteOne, { which: ordinal(talk.random.pick, at, shown.length) }))
      await change(talk, `rm ${path}`, `Deleted ${path}.`, `${path} was not deleted`, path)
      return undefined
    },
  },
  {
    id: 'again',
    weight: 1,
    async run(talk) {
      const { command } = talk.focus
      if (command === undefined || /^(rm|mv|cp|mkdir|pip|unzip) /.test(command)) return false
      talk.ask(talk.word(words.again))
      await runCommand(talk, command)
      return undefined
    },
  },
  {
    id: 'also-folder',
    weight: 3,
    async run(talk) {
      const { listed } = talk.focus
      const folders = foldersOf(talk.desk.files)
      const others = folders.filter(folder => folder !== listed?.folder)
      if (!listed || others.length === 0) return false
      const folder = talk.random.pick(others)
      talk.ask(talk.word(words.alsoFolder, { folder }))
      await list(talk, folder, { path: folder })
      return undefined
    },
  },
  {
    id: 'also-read',
    weight: 3,
    async run(talk) {
      const { path: known, output } = talk.focus
      const others = [...talk.desk.files.keys()].filter(path => path !== known)
      if (
        known === undefined ||
        output === undefined ||
        talk.focus.command !== undefined ||
        others.length === 0
      )
        return false
      const path = talk.random.pick(others)
      talk.ask(talk.word(words.alsoRead, { path }))
      await read(talk, path, { path })
      return undefined
    },
  },
  {
    id: 'change-in-it',
    weight: 1.6,
    async run(talk) {
      const { path } = talk.focus
      const text = path === undefined ? undefined : talk.desk.files.get(path)
      if (path === undefined || text === undefined) return false
      const known = text
        .split(/[\s,:]+/)
        .filter(word => /^\p{L}{4,}$/u.test(word) && text.split(word).length === 2)
      if (known.length === 0) return false
      const old = talk.random.pick(known)
      const now = talk.slot(talk.random.pick(['noun', 'person', 'coined', 'number', 'colour']))
      if (old === now) return false
      talk.ask(talk.word(words.changeInIt, { old, now }))
      const refused = denied(talk)
      const result = await talk.call('patch_file', { path, old_string: old, new_string: now }, refused)
      talk.focus = { path }
      if (refused) talk.answer(tellDenied(`${path} stays as it was`, result), { kind: 'fact', facts: [path] })
      else talk.answer(`Changed ${old} to ${now} in ${path}.`, { kind: 'fact', facts: [now] })
      return undefined
    },
  },
]

type Listed = { folder: string; names: string[] }

/** Entries in the order in which the tool lists them: folders first. */
function inListedOrder(
  files: ReadonlyMap<string, string>,
  { folder }: Listed,
): { path: string; isFolder: boolean }[] {
  const start = folder === '' ? '' : `${folder}/`
  const entries = namesIn(new Map(files), folder).map(name => ({
    path: start + name,
    isFolder: !files.has(start + name),
  }))
  return [...entries.filter(each => each.isFolder), ...entries.filter(each => !each.isFolder)]
}
