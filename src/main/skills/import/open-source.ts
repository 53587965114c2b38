import { open, realpath, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { pathNamed } from '../../files/workspace.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import type { ImportFrom } from '../skill-types.ts'
import { fromFolder, fromMemory, fromZip } from './local-sources.ts'
import { fromGit } from './from-git.ts'
import type { GitOptions } from './open-git.ts'
import { limits, visibleName, type Source } from './skill-source.ts'

const WANTED = 'Choose a folder with skills, a SKILL.md, or a zip.'
/** The usual folders next to a SKILL.md. */
const BESIDE = ['references', 'templates', 'scripts', 'assets']
const SKILL = 'SKILL.md'
/** Signatures at the start of a zip: a file header, or the end record of an empty zip. */
const ZIPS = new Set([0x504b0304, 0x504b0506])

/**
 * Open the source that the user gave, by its type. `scratch` is an empty folder for downloads. Throws a Fault
 * that describes a valid source.
 */
export async function openSource(
  from: ImportFrom,
  scratch: string,
  git: GitOptions,
  signal: AbortSignal,
): Promise<Source> {
  switch (from.kind) {
    case 'path':
      return atPath(from.path, signal)
    case 'git':
      return fromGit(from, join(scratch, 'repository'), git, signal)
    case 'text': {
      const source = { kind: 'text', address: 'pasted text', commit: null } as const
      return fromMemory(source, 'pasted-skill', [{ path: SKILL, content: Buffer.from(from.text) }])
    }
    case 'upload':
      return dropped(from, scratch, signal)
  }
}

async function atPath(given: string, signal: AbortSignal): Promise<Source> {
  const path = pathNamed(given)
  try {
    const real = await realpath(path)
    const stats = await stat(real)
    if (stats.isDirectory()) return await fromFolder(real, signal)
    if (!stats.isFile()) throw new Fault('bad_input', `${visibleName(path)} is not a file. ${WANTED}`)
    return (await isZip(real)) ? await fromZip(real, signal) : await oneFile(real, stats.size)
  } catch (error) {
    if (error instanceof Fault || signal.aborted) throw error
    const code = fileErrorCode(error)
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(code))
      throw new Fault('bad_input', `There is nothing at ${visibleName(path)}.`)
    throw new Fault('bad_input', `${visibleName(path)} cannot be read: ${reasonOf(code)}.`)
  }
}

/** A skill's text without its folder: a downloaded file is surrounded by unrelated downloads. */
async function oneFile(path: string, bytes: number): Promise<Source> {
  const name = basename(path)
  if (!/\.(md|markdown|txt)$/i.test(name))
    throw new Fault('bad_input', `${visibleName(name)} is not a skill. ${WANTED}`)
  if (bytes > limits.fileBytes) throw new Fault('bad_input', `${visibleName(name)} is too large for a skill.`)
  const isNamed = /^skill\.md$/i.test(name)
  const fallback = isNamed ? basename(dirname(path)) : name.replace(/(\.skill)?\.\w+$/i, '')
  await using file = await open(path)
  const content = await file.readFile()
  const source = fromMemory({ kind: 'folder', address: path, commit: null }, fallback, [
    { path: SKILL, content },
  ])
  const beside = isNamed ? await presentBeside(path) : []
  if (beside.length === 0) return source
  const why = 'only the file was chosen. Choose its folder to bring all of it'
  return { ...source, leftOut: [...source.leftOut, ...beside.map(each => ({ name: each, why }))] }
}

async function presentBeside(path: string): Promise<string[]> {
  const there = BESIDE.map(async name => {
    const stats = await stat(join(dirname(path), name)).catch(() => undefined)
    return stats?.isDirectory() ? [name] : []
  })
  return (await Promise.all(there)).flat()
}

/** Dropped content: a zip, a SKILL.md, or the files of a folder. */
async function dropped(
  { name, files }: Extract<ImportFrom, { kind: 'upload' }>,
  scratch: string,
  signal: AbortSignal,
): Promise<Source> {
  const given = files.map(({ path, base64 }) => ({ path, content: Buffer.from(base64, 'base64') }))
  const [only] = given
  const label = visibleName(name || only!.path)
  if (given.length === 1 && only!.content.subarray(0, 2).toString('latin1') === 'PK') {
    const path = join(scratch, 'dropped.zip')
    await writeFile(path, only!.content, { mode: 0o600 })
    return fromZip(path, signal, label)
  }
  const isText = given.length === 1 && !only!.path.includes('/') && /\.(md|markdown|txt)$/i.test(only!.path)
  const named = isText ? [{ path: SKILL, content: only!.content }] : given
  const fallback = basename(label).replace(isText ? /(\.skill)?\.\w+$/i : /$^/, '')
  return fromMemory(
    { kind: 'folder', address: label, commit: null },
    /^skill$/i.test(fallback) && isText ? 'pasted-skill' : fallback,
    named,
  )
}

/** Whether a file starts with a zip signature. Throws file system errors. */
export async function isZip(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
  return ZIPS.has(buffer.readUInt32BE(0))
}
