import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { showHidden } from '../../src/shared/visible-text/show-hidden.ts'
import { readRow } from './row.ts'
import { judgeRow } from './judge.ts'
import { openStage } from './stage.ts'
import { tryAttempts, type Attempt } from './obeyed/try-attempts.ts'

const USAGE = 'Usage: npm run -s eval:approvals -- [--execute] [--sandbox off] <file.jsonl>...'

/**
 * Judges each row of JSONL files as a chat would and prints one JSON line for it; with `--execute`, commands that would run
 * unasked and confined really run, in folders made for them. Rows of the kind `display` print a text as cards show it; those of the kind
 * `obeyed` are tried in a whole host, with `--sandbox off` unconfined, and the exit code is 1 if one is not as promised.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { execute: { type: 'boolean', default: false }, sandbox: { type: 'string' } },
  })
  if (positionals.length === 0) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const attempts: Attempt[] = []
  await using stage = await openStage()
  for (const file of positionals)
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line.trim() === '') continue
      const row = readRow(line)
      if ('error' in row) {
        console.log(JSON.stringify(row))
        continue
      }
      if ('kind' in row && row.kind === 'obeyed') {
        attempts.push(row)
        continue
      }
      if ('kind' in row) {
        console.log(JSON.stringify({ id: row.id, shown: showHidden(row.text) }))
        continue
      }
      using place = stage.place(row)
      const judged = judgeRow(row, place)
      const ran = values.execute && judged.access ? await stage.execute(row, place, judged.access) : {}
      const { access: _access, agreed: _agreed, ...shown } = judged
      console.log(JSON.stringify({ ...shown, ...ran }))
    }
  if (attempts.length === 0) return
  const wrong = await tryAttempts(attempts, values.sandbox === 'off' ? 'off' : 'auto')
  if (wrong > 0) process.exitCode = 1
}

await main()
