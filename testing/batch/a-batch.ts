import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BatchOptions, BatchState } from '../../src/shared/contract/runs/batch.ts'
import type { HostClient } from '../../src/shared/contract/index.ts'
import type { ServedRequest } from '../servers/openai-server.ts'
import { ResultLine } from '../../src/main/batch/result-line.ts'

// For tests: files of rows, and the results of a batch.

/** A folder with a file of rows, removed on dispose. */
export function someRows(rows: readonly (object | string)[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-batch-')))
  const file = join(folder, 'rows.jsonl')
  const write = (lines: readonly (object | string)[]) =>
    writeFileSync(
      file,
      lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    )
  write(rows)
  return {
    folder,
    file,
    out: join(folder, 'out'),
    paths: { file, out: join(folder, 'out') },
    write,
    /** Make a folder next to the file, with files in it. */
    addFolder(name: string, files: Readonly<Record<string, string>>) {
      mkdirSync(join(folder, name))
      for (const [each, text] of Object.entries(files)) writeFileSync(join(folder, name, each), text)
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

type Given = Partial<BatchOptions> & Pick<BatchOptions, 'file' | 'out'> & { agree?: string }

/** Start a batch and follow it until it stops; `onState` may act in between. */
export async function runToStop(
  client: HostClient,
  given: Given,
  onState: (state: BatchState) => unknown = () => {},
): Promise<BatchState> {
  const { checks } = await client['batch.look'](given)
  const { id } = await client['batch.start']({ ...given, ...(checks && { agree: checks.hash }) })
  let last: BatchState | undefined
  for await (const state of client['batch.watch']({ id })) {
    last = state
    await onState(state)
  }
  return last!
}

/** The complete lines of a file. A line cut off by a kill comes after the last line break. */
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(line => ResultLine.parse(JSON.parse(line)))

/** The lines of the training data, in order. */
export const trajectoriesIn = (out: string): ResultLine[] => linesOf(join(out, 'trajectories.jsonl'))

/** All results in a folder. */
export const resultsIn = (out: string): ResultLine[] =>
  readdirSync(join(out, 'batches'))
    .toSorted()
    .flatMap(name => linesOf(join(out, 'batches', name)))

export const statisticsIn = (out: string) =>
  JSON.parse(readFileSync(join(out, 'statistics.json'), 'utf8')) as Record<string, unknown> & {
    states: Record<string, number>
    tools: Record<string, { offered: number; calls: number; errors: number }>
    toolsets: Record<string, { attempts: number; done: number }>
  }

/** The fields of a result that do not depend on when and how often it ran. */
export const lasting = ({ timestamp: _at, try: _try, ...line }: ResultLine) => ({
  ...line,
  // Each call has a different id.
  conversations: line.conversations.map(({ from, value }) => ({
    from,
    value: value.replaceAll(/call_[0-9a-z]+/g, 'call'),
  })),
})

/** The first question in a request, and whether a tool has answered since. */
export function askedIn({ body }: ServedRequest): { asked: string; isFirst: boolean } {
  const messages = body.messages as { role: string; content: string }[]
  const asked = messages.find(({ role }) => role === 'user')?.content ?? ''
  return { asked, isFirst: messages.at(-1)?.role === 'user' }
}
