import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scene } from './guide-scene.ts'

const MOST_NAMES = 2_000
const DEEPEST = 3
/** Folders that nobody means when they talk about their files. */
const SKIPPED = new Set(['node_modules', '.git', '.venv', '__pycache__'])

/** The names of files and folders in a folder, a few levels deep; none if the folder cannot be read. */
export async function readNames(folder: string): Promise<Pick<Scene, 'files' | 'folders'>> {
  const files: string[] = []
  const folders: string[] = []
  let level = ['']
  for (let depth = 0; depth < DEEPEST && files.length < MOST_NAMES; depth++) {
    const below: string[] = []
    for (const within of level) {
      const entries = await readdir(join(folder, within), { withFileTypes: true }).catch(() => [])
      for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        if (SKIPPED.has(entry.name) || files.length >= MOST_NAMES) continue
        const name = within === '' ? entry.name : `${within}/${entry.name}`
        if (entry.isDirectory()) below.push(name)
        else files.push(name)
      }
    }
    folders.push(...below)
    level = below
  }
  return { files, folders }
}

/** A file or folder that a request names. `isThere`: it exists; else only the request mentions it. */
export type NamedPath = { path: string; isFolder: boolean; isThere: boolean; at: number; end: number }

/**
 * A word that can only be a path: it has a known extension or a slash. Each match must start at the beginning
 * of its run of characters. File names have at most 255 characters.
 */
const PATH =
  /(?<![\p{L}\p{N}_+@-])(?:~\/|\.{1,2}\/|\/)?(?:[\p{L}\p{N}_.+-]{1,255}\/)*(?:[\p{L}\p{N}_+-][\p{L}\p{N}_.+-]{0,255}\.(?!com\b|org\b|net\b)[\p{L}][\p{L}\p{N}]{0,7}|[\p{L}\p{N}_.+-]{1,255}\/)(?![\p{L}\p{N}@])/gu
const QUOTED_PATH = /[`"“'‘]([^`"”'’\n]{1,120}\.[\p{L}][\p{L}\p{N}]{0,7})[`"”'’]/gu
const HOME_FOLDERS: Readonly<Record<string, string>> = {
  documents: '~/Documents',
  downloads: '~/Downloads',
  desktop: '~/Desktop',
  pictures: '~/Pictures',
  music: '~/Music',
  videos: '~/Videos',
  home: '~',
}
const ABBREVIATIONS = /^(?:e\.g|i\.e|a\.m|p\.m|etc|vs)\.?$/i

/** The paths that a text names, in order: existing ones, and words that can only be paths. */
export function pathsIn(text: string, { files, folders }: Pick<Scene, 'files' | 'folders'>): NamedPath[] {
  const found: NamedPath[] = []
  const add = (path: string, at: number, length: number) => {
    if (found.some(each => at < each.end && at + length > each.at)) return
    found.push({ ...placeOf(path, { files, folders }), at, end: at + length })
  }
  for (const each of text.matchAll(QUOTED_PATH)) {
    const [, inner = ''] = each
    // A sentence in quotes is the text to write, not the path.
    if (files.includes(inner) || !/\s/.test(inner)) add(inner, each.index, each[0].length)
  }
  // Names with spaces, and names without an extension, such as Makefile.
  for (const name of [...files, ...folders].filter(each => /\s/.test(each) || !/\.\w+$/.test(each))) {
    if (name.length < 3) continue
    const at = text.toLowerCase().indexOf(name.toLowerCase())
    if (at >= 0 && isWhole(text, at, name.length) && isMeantAsName(text, at, name, folders))
      add(name, at, name.length)
  }
  for (const each of text.matchAll(PATH)) {
    const path = each[0].replace(/(?<![.])[.]+$/, '')
    if (!ABBREVIATIONS.test(path)) add(path, each.index, path.length)
  }
  return found.toSorted((a, b) => a.at - b.at)
}

const isWhole = (text: string, at: number, length: number): boolean =>
  !/[\p{L}\p{N}_/]/u.test(text[at - 1] ?? ' ') &&
  // “letters/lena.md” is more than the folder “letters”.
  !/^(?:[\p{L}\p{N}_]|\/[^\s"'”`]|\.[\p{L}\p{N}])/u.test(text.slice(at + length))

/** A folder called “notes” is meant by “in notes” and “the notes folder”, not by “my notes”. */
const isMeantAsName = (text: string, at: number, name: string, folders: readonly string[]): boolean =>
  !folders.includes(name) ||
  name.includes('/') ||
  /(?:\b(?:in|into|to|inside|under|from|of|folder|directory|list|ls|open)(?: the| my)?|["'“`])\s*$/i.test(
    text.slice(0, at),
  ) ||
  /^["'”`/]?\s*(?:folder|directory)/i.test(text.slice(at + name.length))

function placeOf(
  path: string,
  { files, folders }: Pick<Scene, 'files' | 'folders'>,
): Pick<NamedPath, 'path' | 'isFolder' | 'isThere'> {
  const bare = path.replace(/^\.\//, '').replace(/\/$/, '')
  const same = (each: string) => each.toLowerCase() === bare.toLowerCase()
  const folder = folders.find(each => each === bare) ?? folders.find(same)
  if (folder !== undefined) return { path: folder, isFolder: true, isThere: true }
  const below = files.filter(each => each.toLowerCase().endsWith(`/${bare.toLowerCase()}`))
  const file =
    files.find(each => each === bare) ?? files.find(same) ?? (below.length === 1 ? below[0] : undefined)
  if (file !== undefined) return { path: file, isFolder: false, isThere: true }
  return { path: bare === '' ? path : bare, isFolder: path.endsWith('/'), isThere: false }
}

/** The only file that words such as “my notes” can mean; undefined if none or several match. */
export function meantFile(words: string, files: readonly string[]): string | undefined {
  const wanted = loosen(words)
  if (wanted === '') return undefined
  const ways = [
    wanted,
    wanted.replace(/s$/, ''),
    `${wanted}s`,
    wanted.replace(/(?:list|file|document|notes?)$/, ''),
  ]
  for (const way of ways) {
    if (way.length < 3) continue
    const found = files.filter(each => loosen(stemOf(each)) === way)
    if (found.length === 1) return found[0]
    if (found.length > 1) return undefined
  }
  return undefined
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/(?<=.)\.[^.]+$/, '')
const loosen = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\b(?:my|the|our|your|this|that|file|of mine)\b/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** The standard folder that a text names, such as “my downloads folder”. */
export function homeFolderIn(text: string): string | undefined {
  const [, name = ''] =
    /\bmy (documents|downloads|desktop|pictures|music|videos|home)(?: folder| directory)?\b/i.exec(text) ?? []
  return HOME_FOLDERS[name.toLowerCase()]
}
