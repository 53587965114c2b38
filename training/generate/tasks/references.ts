import { foldersOf, namesIn } from '../desk/files-of.ts'
import { wordings } from '../wording.ts'
import { change, runCommand } from './commands.ts'
import { fileName } from './file-words.ts'
import { list, read } from './files.ts'
import { denied, tellDenied } from './trouble.ts'
import type { Task } from './task.ts'

export const deleteIt = wordings(`
  ! (delete|remove|erase|trash) (it|that|that file|the file|this file)( now| again|)
  ! (delete|remove|get rid of) (it|that|that file|this)
  (i don't need|i no longer need) (it|that)( any more| anymore|), (delete it|remove it)
  (throw|toss) it (away|out)
  (it|that) can (go|be deleted)
  ---
  ! (scrap|bin|wipe) (it|that one)
  (make|let) it (disappear|go away)
  off with it`)

export const renameIt = wordings(`
  ! (rename|move) (it|that|that file|the file|this file) to {new}
  ! (rename|move) it to {new}
  ! (call|name) it {new}( instead|)
  ! (change|set) its name to {new}
  ! give it the name {new}
  (it|that file) should be called {new}
  ---
  ! (rebaptise|retitle) (it|the file) {new}
  let it be {new}
  {new} is a better name for it
  its new name is {new}`)

export const copyIt = wordings(`
  ! (copy|duplicate|back up) (it|that|the file|this file) (to|as) {new}
  ! (make|create) a (copy|backup) of (it|that)( called| named| as|) {new}
  ! copy it to {new}
  ! save a copy (of it |)as {new}
  ---
  ! (clone|replicate) it as {new}
  a second one called {new}`)

export const showIt = wordings(`
  ! (read|open|show|show me|print) (it|that|that file|the file)( now| again| to me|)
  what does it say( now|)?
  (what is|what's) in (it|that file|there)( now|)?
  ! (read|show|open) it
  (can i see|let me see|show me) (it|what's inside|its contents)
  ---
  ! (inspect|reveal) (it|its contents)
  (its|the) (contents|content|text), please
  (what stands|what's written) in there?
  have a look inside`)

export const pickOne = wordings(`
  ! (read|open|show|show me) (the|me the) {which}( one| file| entry|)
  (what is|what's) in the {which}( one| file|)?
  ! (open|read) the {which} (one|file)
  (the {which} one|the {which} file|number {number}), (read it|open it|what does it say?)
  (take|have) a look (at|into) the {which} (one|file)
  what does the {which} (one|file) say?
  ---
  ! (pull up|bring up|fetch) the {which} (one|file)
  i mean the {which} (one|file)
  the {which}, (let's see|please)`)

export const deleteOne = wordings(`
  ! (delete|remove) the {which}( one| file| entry|)
  ! (delete|remove|get rid of) the {which} (one|file)
  (the {which} one|the {which} file) can go
  i don't need the {which} (one|file), (delete it|remove it)
  ---
  ! (scrap|bin|wipe) the {which} (one|file)
  off with the {which} one`)

export const again = wordings(`
  (again|once more|one more time|do it again|run it again|repeat that|try again|retry)
  ! (run|do|execute|repeat) (it|that|that command|the command|the same) (again|once more|one more time)
  ! (run|do|try) (it|that) again
  (the same|same command|same thing) again
  ---
  ! (redo|rerun) (it|that|the last command)
  (another go|once again|encore)
  (give it|have) another (try|go)
  same as before`)

export const alsoFolder = wordings(`
  (and|what about|and what about|and in|how about|and what is in) {folder}?
  (now|and now|then|the same for|also) {folder}
  ! (show|list|look in|open) {folder}( too| as well| also|)
  ---
  ! (inspect|reveal) {folder} (next|likewise)
  {folder} (next|likewise)
  (likewise|ditto) for {folder}
  what of {folder}?`)

export const alsoRead = wordings(`
  (and|what about|and what about|how about|and what does) {path}?
  (now|and now|then|the same for|also) {path}
  ! (show|read|open) {path}( too| as well| also|)
  ---
  ! (inspect|reveal) {path} (next|likewise)
  {path} (next|likewise)
  (likewise|ditto) for {path}
  what of {path}?`)

export const changeInIt = wordings(`
  ! (change|replace) {old} (to|with|by) {now} (in it|there|in that file|)
  (in it|there) (change|replace) {old} (to|with) {now}
  {old} (should be|must be) {now} (there|in it|)
  ---
  ! (turn|convert) {old} into {now} (there|in it)
  ! make it {now} (instead of|for) {old}`)

export const yesWordings = wordings(`
  (yes|yeah|yep|yup|sure|ok|okay|exactly|right|correct|of course|ja|oui|sí)( please| that one| i do| i did| i meant that|, that one|, please|)
  (that's|that is) (it|the one|right|what i meant|correct)
  (i meant|i mean) (that|that one|it)
  (go ahead|do it|please do|that one|read that|take that one)( please| then|)
  ---
  (indeed|affirmative|aye|precisely)( please|)
  (you guessed it|you are right)
  so it is`)

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
      talk.ask(talk.word(yesWordings, {}, { head: 0, tail: 0.05 }))
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
      talk.ask(talk.word(deleteIt))
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
      talk.ask(talk.word(way === 'rename' ? renameIt : copyIt, { new: to }))
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
      talk.ask(talk.word(showIt))
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
      talk.ask(talk.word(pickOne, { which, number: String(at + 1) }))
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
      talk.ask(talk.word(deleteOne, { which: ordinal(talk.random.pick, at, shown.length) }))
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
      talk.ask(talk.word(again))
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
      talk.ask(talk.word(alsoFolder, { folder }))
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
      talk.ask(talk.word(alsoRead, { path }))
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
      talk.ask(talk.word(changeInIt, { old, now }))
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
