import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { rootFolder } from '../../src/main/lib/shipped-files.ts'
import { parseNotes } from '../../src/main/memory/note-files.ts'

const run = promisify(execFile)
const cli = join(rootFolder(), 'src/main/cli/index.ts')

test('several processes that remember something at the same moment lose nothing', async () => {
  const home = mkdtempSync(join(tmpdir(), 'talaria-two-'))
  try {
    const facts = Array.from({ length: 5 }, (_, n) => `Fact number ${n}.`)
    const say = (fact: string) => run(process.execPath, [cli, 'memory', 'add', fact, '--home', home])
    const said = await Promise.all(facts.map(say))
    expect(said.map(({ stdout }) => stdout.startsWith('Remembered: '))).toEqual(facts.map(() => true))
    expect(parseNotes(readFileSync(join(home, 'memories', 'USER.md'), 'utf8')).toSorted()).toEqual(facts)

    const { stdout } = await run(process.execPath, [cli, 'memory', 'history', '--json', '--home', home])
    const { revisions } = JSON.parse(stdout) as { revisions: { after: string; actor: string }[] }
    expect(revisions.map(({ after, actor }) => `${actor}: ${after}`).toSorted()).toEqual(
      facts.map(fact => `you: ${fact}`),
    )
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
