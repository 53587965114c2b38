import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { aFolder } from '../../../../testing/db/a-store.ts'
import { rootFolder } from '../disk/shipped-files.ts'
import { noteUnfinished, removeUnfinished } from './unfinished.ts'

const notes = (home: string) => readdirSync(join(home, 'cache', 'unfinished'))

/** Start writing something in a process that is then killed. */
function killedWhileWriting(home: string, path: string, mark?: string): void {
  const script = pathToFileURL(join(rootFolder(), 'src/main/lib/removal/unfinished.ts')).href
  const code = `
    import { mkdirSync, writeFileSync } from 'node:fs'
    import { noteUnfinished } from ${JSON.stringify(script)}
    noteUnfinished(...${JSON.stringify([home, path, mark].filter(each => each !== undefined))})
    ${mark === undefined ? '' : `mkdirSync(${JSON.stringify(path)})`}
    writeFileSync(${JSON.stringify(mark === undefined ? path : join(path, mark))}, 'words')
    process.kill(process.pid, 'SIGKILL')`
  const { signal } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', code])
  expect(signal).toBe('SIGKILL')
}

test('what a kill left unfinished is removed at the next start, and what somebody else put there stays', async () => {
  using home = aFolder()
  using elsewhere = aFolder()
  const at = (name: string) => join(elsewhere.path, name)
  killedWhileWriting(home.path, at('backup.zip.part'))
  killedWhileWriting(home.path, at('home.part'), '.mark')
  killedWhileWriting(home.path, at('theirs.part'))
  killedWhileWriting(home.path, at('folder.part'))
  utimesSync(at('theirs.part'), 1, 1)
  spawnSync('rm', [at('folder.part')])
  mkdirSync(at('folder.part'))
  expect(notes(home.path)).toHaveLength(4)
  expect(await removeUnfinished(home.path)).toEqual([])
  expect(readdirSync(elsewhere.path).toSorted()).toEqual(['folder.part', 'theirs.part'])
  expect(notes(home.path)).toEqual([])
})

test('what is being written is left alone, and its note goes with it', async () => {
  using home = aFolder()
  const path = join(home.path, 'chats.md.part')
  {
    await using _note = noteUnfinished(home.path, path)
    writeFileSync(path, 'words')
    expect(await removeUnfinished(home.path)).toEqual([])
    expect([existsSync(path), notes(home.path).length]).toEqual([true, 1])
    spawnSync('rm', [path])
  }
  expect(notes(home.path)).toEqual([])
})
