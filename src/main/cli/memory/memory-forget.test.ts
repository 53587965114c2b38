import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'

describe.concurrent('memory forget', () => {
  test('removing says that the archive keeps it, and forgetting leaves nothing in the database', async ({
    talaria,
    expect,
  }) => {
    const home = talaria.folder()
    const run = (...args: string[]) => talaria.run(['memory', ...args, '--home', home])
    const { stdout } = await run('add', 'Takes the medicine Zarvolex.')
    const id = /\w{6}(?= {2}Takes)/.exec(stdout)![0]
    const removed = await run('remove', id)
    expect(removed.stdout).toContain(`Removed: ${id}`)
    expect(removed.stderr).toContain(`To remove it for good: talaria memory forget ${id}`)

    const unasked = await run('forget', id)
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('Add --yes')])
    const forgotten = await run('forget', id, '--yes')
    expect([forgotten.code, forgotten.stdout]).toEqual([0, 'Forgotten for good: 1 entry.\n'])
    expect(forgotten.stderr).toContain('Exports and copies outside the home folder are not changed.')
    const files = readdirSync(home).filter(name => name.startsWith('state.db'))
    expect(files.filter(name => readFileSync(join(home, name)).includes('Zarvolex'))).toEqual([])
    expect((await run('history')).stdout).not.toContain('Zarvolex')
    expect((await run('forget', id, '--yes')).stderr).toContain(`No entry has the id ${id}.`)
  })
})
