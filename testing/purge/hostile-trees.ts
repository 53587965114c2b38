import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { moments } from '../moments.ts'

/** Makes a folder that resists its removal; `outside` is a folder that must survive it. */
type Build = (folder: string, outside: string) => void | Promise<void>

const bytes = (folder: string, ...name: number[]) =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)])

/** Nested folders, the innermost with a file. They are built from inside, so that no path gets too long. */
export function nest(folder: string, depth: number, name = 'deep'): void {
  const [inner, around] = [join(folder, name), join(folder, 'around')]
  mkdirSync(inner)
  writeFileSync(join(inner, 'words'), 'secretfile')
  for (let n = 1; n < depth; n++) {
    mkdirSync(around)
    renameSync(inner, join(around, name))
    renameSync(around, inner)
  }
}

const closed =
  (mode: number): Build =>
  folder => {
    mkdirSync(join(folder, 'a', 'b'), { recursive: true })
    writeFileSync(join(folder, 'a', 'b', 'words'), 'secretfile')
    chmodSync(join(folder, 'a', 'b'), mode)
    chmodSync(join(folder, 'a'), mode)
  }

/**
 * Depth and width of trees: a path that is too long, and more entries than one read returns; larger in the
 * long run.
 */
const [DEEPEST = 0, MANY = 0] = moments({ every: [3_000, 18_000], some: [600, 3_600] })

/** Trees that a command may leave, and that must be removed nevertheless. */
export const HOSTILE: Record<string, Build> = {
  'folders without the right to write': closed(0o555),
  'folders without any right': closed(0o000),
  'a closed root': folder => {
    writeFileSync(join(folder, 'words'), 'secretfile')
    chmodSync(folder, 0)
  },
  'folders 900 deep': folder => nest(folder, 900),
  'folders in folders, in which each name is long': folder => nest(folder, DEEPEST, 'x'.repeat(255)),
  'names of 255 bytes, with line breaks and no text at all': folder => {
    mkdirSync(join(folder, 'two\nlines'))
    writeFileSync(join(folder, 'two\nlines', '\u{1f600}'.repeat(63)), 'secretfile')
    mkdirSync(bytes(folder, 0xff, 0xfe, 0x0a))
    writeFileSync(bytes(folder, 0xff, 0xfe, 0x0a, 0x2f, 0xc0, 0x80), 'secretfile')
    mkdirSync(join(folder, 'y'.repeat(255), 'y'.repeat(255), 'y'.repeat(255)), { recursive: true })
    writeFileSync(join(folder, '-rf'), '')
  },
  'links that lead out': (folder, outside) => {
    mkdirSync(join(folder, 'in'))
    for (const at of [folder, join(folder, 'in')]) {
      symlinkSync(outside, join(at, 'folder'))
      symlinkSync(join(outside, 'canary'), join(at, 'file'))
      symlinkSync('nowhere', join(at, 'nothing'))
      symlinkSync('.', join(at, 'itself'))
    }
    chmodSync(join(folder, 'in'), 0o500)
  },
  'a pipe and a socket': async folder => {
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const server = createServer().listen(join(folder, 's'))
    await once(server, 'listening')
    // Node would remove the socket when it closes the server.
    renameSync(join(folder, 's'), join(folder, 'socket'))
    server.close()
  },
  'thousands of entries': folder => {
    mkdirSync(join(folder, 'many'))
    for (let n = 0; n < MANY; n++) writeFileSync(join(folder, 'many', `${n}`), '')
    for (let n = 0; n < MANY / 18; n++) {
      mkdirSync(join(folder, 'many', `folder ${n}`))
      writeFileSync(join(folder, 'many', `folder ${n}`, 'file'), '')
    }
  },
}
