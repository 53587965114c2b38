import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { fileErrorCode } from './expected-errors.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** A file of the built window: its path below the root, its bytes and its content type. */
type PageFile = { path: string; body: Uint8Array<ArrayBuffer>; type: string }

/**
 * Read the file at the path of a URL. Undefined for any path that could leave
 * `root`, by dots, encodings, drives or links.
 */
export async function readPageFile(root: string, target: string): Promise<PageFile | undefined> {
  const path = pathOf(target)
  if (path === undefined) return undefined
  try {
    const [folder, file] = await Promise.all([realpath(root), realpath(join(root, path))])
    if (!file.startsWith(folder + sep)) return undefined
    return { path, body: await readFile(file), type: types[extname(file)] ?? 'application/octet-stream' }
  } catch (error) {
    const code = fileErrorCode(error)
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ELOOP'].includes(code)) return undefined
    throw error
  }
}

function pathOf(target: string): string | undefined {
  const path = decode(target.split(/[?#]/, 1)[0]!)
  // Backslashes and colons mean folders, drives and streams to Windows.
  // eslint-disable-next-line no-control-regex
  if (!path?.startsWith('/') || /[\u0000-\u001f\\:]/.test(path)) return undefined
  if (path === '/') return '/index.html'
  // No part may be empty or start with a dot: neither steps up nor hidden files.
  return path
    .slice(1)
    .split('/')
    .every(part => part !== '' && !part.startsWith('.'))
    ? path
    : undefined
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
