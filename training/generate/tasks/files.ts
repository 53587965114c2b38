import { foldersOf, isFolder, namesIn } from '../desk/files-of.ts'
import type { Talk } from '../talk.ts'
import { fileName, folderName, layOutFiles, line, pathName } from './file-words.ts'
import * as changes from './file-change-wordings.ts'
import * as words from './file-wordings.ts'
import { denied, tellDenied } from './trouble.ts'
import type { Task } from './task.ts'

/** What a file says, as an answer. */
const contentOf = (path: string, result: string): string => {
  const [heading = '', ...lines] = result.split('\n')
  if (heading.endsWith(', empty')) return `${path} is empty.`
  const shown = lines.filter(each => !each.startsWith('[more from line'))
  return shown.length === 1 ? `${path} says: ${shown[0]}` : `${path} says:\n${shown.join('\n')}`
}

/** A line of a list without its size. */
const nameIn = (entry: string): string => entry.replace(/ \([^)]*\)$/, '')

const somePath = (talk: Talk): string => talk.random.pick([...talk.desk.files.keys()])

/** When a path leads to nothing, the result says what is near, or the folder is listed. */
async function afterMissing(talk: Talk, path: string, result: string): Promise<void> {
  const near = /Near it: ([^,.]+(?:\.\w+)?)[,.]/.exec(result)?.[1]
  if (near !== undefined) {
    talk.answer(`There is no ${path}. Did you mean ${near}?`, { kind: 'fact', facts: [near] })
    talk.focus = { meant: path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))}/${near}` : near }
    return
  }
  talk.focus = {}
  if (!result.endsWith('List the folder to see what does.') || path.includes('/')) {
    talk.answer(`There is no ${path} here.`, { kind: 'fact', facts: [path] })
    return
  }
  const listed = await talk.call('list_files', {})
  const names = listed.split('\n').slice(1).map(nameIn)
  talk.answer(`There is no ${path} here. There is: ${names.join(', ')}`, { kind: 'fact', facts: [path] })
}

async function list(talk: Talk, folder: string, given: Record<string, unknown>): Promise<void> {
  const result = await talk.call('list_files', given)
  const [heading = '', ...lines] = result.split('\n')
  const names = lines.map(nameIn)
  const place = folder === '' ? 'this folder' : folder
  talk.focus = { path: folder, listed: { folder, names: namesIn(talk.desk.files, folder) } }
  if (heading.endsWith(' is empty'))
    talk.answer(`There is nothing in ${place}.`, { kind: 'fact', facts: ['nothing'] })
  else if (result.startsWith('Error')) await afterMissing(talk, folder, result)
  else talk.answer(`In ${place}: ${names.join(', ')}`, { kind: 'fact', facts: names })
}

/** A folder of the person outside of the workspace, which only this exchange knows. */
async function listOutside(talk: Talk): Promise<void> {
  const { random, desk } = talk
  const [called, path] = random.pick(words.homeFolders)
  const known = [...desk.files]
  if (random.chance(0.85))
    for (let count = random.between(1, 5); count > 0; count--)
      desk.files.set(`${path}/${fileName(talk)}`, line(talk))
  const isCalled = random.chance(0.5)
  talk.ask(isCalled ? talk.word(words.listHome, { called }) : talk.word(words.listFolder, { folder: path }))
  const refused = denied(talk)
  if (refused) {
    const result = await talk.call('list_files', { path }, refused)
    talk.answer(tellDenied(`I did not look into ${path}`, result), { kind: 'fact', facts: [path] })
  } else await list(talk, path, { path })
  desk.files = new Map(known)
  talk.focus = {}
}

async function read(talk: Talk, path: string, given: Record<string, unknown>): Promise<void> {
  const result = await talk.call('read_file', given)
  talk.focus = { path, output: result }
  if (result.startsWith('Error')) await afterMissing(talk, path, result)
  else talk.answer(contentOf(path, result), { kind: 'fact', facts: result.split('\n').slice(1, 3) })
}

export const files: readonly Task[] = [
  {
    id: 'list',
    weight: 6,
    async run(talk) {
      const { random, desk } = talk
      layOutFiles(talk)
      if (random.chance(0.5)) {
        talk.ask(talk.word(words.listHere))
        await list(talk, '', {})
        return
      }
      if (random.chance(0.25)) {
        await listOutside(talk)
        return
      }
      const folders = foldersOf(desk.files)
      const folder = folders.length > 0 && random.chance(0.85) ? random.pick(folders) : folderName(talk)
      talk.ask(talk.word(words.listFolder, { folder: random.chance(0.15) ? `${folder}/` : folder }))
      await list(talk, folder, { path: folder })
    },
  },
  {
    id: 'count-files',
    weight: 0.7,
    async run(talk) {
      layOutFiles(talk)
      talk.ask(talk.word(words.countFiles))
      const result = await talk.call('list_files', {})
      const count = /, (\d+ \w+)$/.exec(result.split('\n')[0]!)?.[1] ?? 'nothing'
      talk.focus = { path: '', listed: { folder: '', names: namesIn(talk.desk.files, '') } }
      talk.answer(`This folder has ${count}.`, { kind: 'fact', facts: [count] })
    },
  },
  {
    id: 'read',
    weight: 7,
    async run(talk) {
      layOutFiles(talk)
      const path = talk.random.chance(0.85) ? somePath(talk) : pathName(talk)
      talk.ask(talk.word(words.read, { path }))
      await read(talk, path, { path })
    },
  },
  {
    id: 'read-folder',
    weight: 0.5,
    async run(talk) {
      layOutFiles(talk)
      const folder = [...talk.desk.files.keys()].find(path => path.includes('/'))?.split('/')[0]
      if (folder === undefined) return false
      talk.ask(talk.word(words.read, { path: folder }))
      await talk.call('read_file', { path: folder })
      await list(talk, folder, { path: folder })
      return undefined
    },
  },
  {
    id: 'first-line',
    weight: 1,
    async run(talk) {
      layOutFiles(talk)
      const path = somePath(talk)
      talk.ask(talk.word(words.firstLine, { path }))
      const result = await talk.call('read_file', { path, limit: 1 })
      const first = result.split('\n')[1] ?? ''
      talk.focus = { path }
      talk.answer(`The first line of ${path} is: ${first}`, { kind: 'fact', facts: [first] })
    },
  },
  {
    id: 'look-up',
    weight: 2.5,
    async run(talk) {
      const { random, slot, desk } = talk
      const path = pathName(talk)
      const values = [
        () => slot('coined'),
        () => slot('person'),
        () => slot('number'),
        () => slot('weekday'),
        () => slot('colour'),
        () => slot('big'),
        () => slot('city'),
      ]
      const keys = [...new Set(Array.from({ length: random.between(2, 4) }, () => slot('noun')))]
      const entries = keys.map(key => [key, random.pick(values)()] as const)
      const joint = random.pick([': ', ': ', ' = ', '='])
      desk.files.set(path, entries.map(([key, value]) => `${key}${joint}${value}`).join('\n'))
      const [key, value] = random.pick(entries)
      talk.ask(talk.word(words.lookUp, { path, key }))
      const result = await talk.call('read_file', { path })
      talk.focus = { path, output: result }
      talk.answer(`The ${key} is ${value}.`, { kind: 'fact', facts: [value] })
    },
  },
  {
    id: 'write',
    weight: 7,
    async run(talk) {
      const { random } = talk
      const path = random.chance(0.9) || talk.desk.files.size === 0 ? pathName(talk) : somePath(talk)
      const content = line(talk)
      const shown = random.chance(0.35)
        ? random.pick([`"${content}"`, `“${content}”`, `'${content}'`])
        : content
      talk.ask(
        talk.word(changes.write, { path, content: shown }, { head: 0.15, tail: shown === content ? 0 : 0.1 }),
      )
      await write(talk, path, content)
    },
  },
  {
    id: 'write-list',
    weight: 2,
    async run(talk) {
      const { random, slot } = talk
      const path = pathName(talk, ['md', 'txt'])
      const kind = random.pick(['food', 'noun', 'person', 'task', 'belonging'])
      const items = [...new Set(Array.from({ length: random.between(2, 4) }, () => slot(kind)))]
      const spoken = items.length === 1 ? items[0]! : `${items.slice(0, -1).join(', ')} and ${items.at(-1)!}`
      talk.ask(talk.word(changes.writeList, { path, items: spoken }, { head: 0.15, tail: 0 }))
      await write(talk, path, items.map(item => `- ${item}`).join('\n'))
    },
  },
  {
    id: 'empty-file',
    weight: 0.5,
    async run(talk) {
      const path = pathName(talk)
      talk.ask(talk.word(changes.emptyFile, { path }))
      await write(talk, path, '')
    },
  },
  {
    id: 'patch',
    weight: 2.5,
    async run(talk) {
      layOutFiles(talk)
      const { desk, slot, random } = talk
      const path = somePath(talk)
      const text = desk.files.get(path)!
      const known = text
        .split(/[\s,:]+/)
        .filter(word => /^\p{L}{4,}$/u.test(word) && text.split(word).length === 2)
      const isKnown = known.length > 0 && random.chance(0.85)
      const old = isKnown ? random.pick(known) : slot('noun')
      const now = slot(random.pick(['noun', 'person', 'coined', 'number', 'colour', 'weekday']))
      if (old === now || (!isKnown && text.includes(old))) return false
      talk.ask(talk.word(changes.patch, { path, old, now }))
      const refused = denied(talk)
      const result = await talk.call('patch_file', { path, old_string: old, new_string: now }, refused)
      talk.focus = { path }
      if (refused) talk.answer(tellDenied(`${path} stays as it was`, result), { kind: 'fact', facts: [path] })
      else if (result.startsWith('Error'))
        talk.answer(`There is no “${old}” in ${path}.`, { kind: 'fact', facts: [old] })
      else talk.answer(`Changed ${old} to ${now} in ${path}.`, { kind: 'fact', facts: [now] })
      return undefined
    },
  },
  {
    id: 'append',
    weight: 1.5,
    async run(talk) {
      layOutFiles(talk)
      const path = somePath(talk)
      const content = line(talk)
      talk.ask(talk.word(changes.append, { path, content }, { head: 0.15, tail: 0 }))
      const result = await talk.call('read_file', { path })
      const last = result.split('\n').at(-1)!
      const refused = denied(talk)
      const given = { path, old_string: last, new_string: `${last}\n${content}` }
      const said = await talk.call('patch_file', given, refused)
      talk.focus = { path }
      if (refused) talk.answer(tellDenied(`${path} stays as it was`, said), { kind: 'fact', facts: [path] })
      else if (said.startsWith('Error'))
        talk.answer(`I could not change ${path}: the line “${last}” is there more than once.`)
      else talk.answer(`Added “${content}” to ${path}.`, { kind: 'fact', facts: [content] })
    },
  },
  {
    id: 'search',
    weight: 7,
    async run(talk) {
      layOutFiles(talk)
      const { desk, random, slot } = talk
      const all = [...desk.files.values()]
        .join('\n')
        .split(/[\s,:]+/)
        .filter(word => /^\p{L}{4,}$/u.test(word))
      const word = all.length > 0 && random.chance(0.75) ? random.pick(all) : slot('noun')
      const way = random.pick(['all', 'all', 'all', 'folder', 'kind'] as const)
      const folder = [...desk.files.keys()].find(path => path.includes('/'))?.split('/')[0]
      const given: Record<string, unknown> = { pattern: word }
      if (way === 'folder' && folder !== undefined && isFolder(desk.files, folder)) {
        talk.ask(talk.word(words.searchFolder, { word, folder }))
        given['path'] = folder
      } else if (way === 'kind') {
        const extension = random.pick(['md', 'txt', 'csv', 'log'])
        talk.ask(talk.word(words.searchKind, { word, extension }))
        given['glob'] = `*.${extension}`
      } else talk.ask(talk.word(words.search, { word }))
      const result = await talk.call('search_files', given)
      const found = result.split('\n').slice(0, -1)
      if (found.length === 0) {
        talk.answer(`No file mentions ${word}.`, { kind: 'fact', facts: ['No file'] })
        return
      }
      const [path = ''] = found[0]!.split(':')
      talk.focus = { path }
      talk.answer(
        found.length === 1 ? `Found in ${found[0]}` : `Found in:\n${found.slice(0, 4).join('\n')}`,
        {
          kind: 'fact',
          facts: [found[0]!],
        },
      )
    },
  },
]

async function write(talk: Talk, path: string, content: string): Promise<void> {
  const refused = denied(talk)
  const result = await talk.call('write_file', { path, content }, refused)
  talk.focus = { path }
  if (refused) talk.answer(tellDenied(`${path} was not written`, result), { kind: 'fact', facts: [path] })
  else if (result.startsWith('Error')) talk.answer(`I could not write ${path}: it is a folder.`)
  else talk.answer(result.replace(/ \([^)]*\)\.$/, '.'), { kind: 'fact', facts: [path] })
}

export { list, read, somePath }
