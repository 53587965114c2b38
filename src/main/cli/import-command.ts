import type { HostClient } from '../../shared/contract/index.ts'
import type { ImportPreview, ImportProgress } from '../../shared/contract/import.ts'
import { absolutePath } from './command-line.ts'
import { withClient } from './open-client.ts'
import { many, stripControls } from './terminal-text.ts'
import { confirmOnTerminal, stopOnSignals } from './terminal.ts'
import { jsonLine } from '../../shared/visible-text/show-hidden.ts'

export type ImportOptions = { home?: string; json?: true; yes?: true; memories: boolean }

const NAMES = { hermes: 'a Hermes agent', chatgpt: 'ChatGPT', claude: 'Claude' }
/** Titles to show before the question. */
const TITLES = 5

const UNANSWERABLE = 'There is no terminal to confirm the import. Add --yes to import without asking.'

/** Preview an import, ask, and run it. Resolves to whether it succeeded or there was nothing to do. */
export async function importFrom(given: string, options: ImportOptions): Promise<boolean> {
  const { home, json, yes, memories } = options
  using stopping = stopOnSignals()
  try {
    return await withClient(home, async client => {
      const preview = await client['import.preview'](
        { path: absolutePath(given) },
        { signal: stopping.signal },
      )
      if (json) process.stdout.write(`${jsonLine({ type: 'preview', ...preview })}\n`)
      else process.stderr.write(stripControls(showPreview(preview, memories)))
      if (preview.sessions - preview.known + (memories ? preview.memories : 0) === 0) {
        if (!json) process.stdout.write('Nothing new to import.\n')
        return true
      }
      if (!yes && !(await confirmOnTerminal('Import this?', UNANSWERABLE))) return false
      return await run(client, preview, options, stopping.signal)
    })
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    process.stderr.write(
      'Stopped. Each chat was imported completely or not at all. Run the same command again to import the rest.\n',
    )
    return false
  }
}

async function run(
  client: HostClient,
  { id }: ImportPreview,
  { json, memories }: ImportOptions,
  signal: AbortSignal,
): Promise<boolean> {
  let isDone = false
  for await (const event of client['import.run']({ id, memories }, { signal })) {
    if (json) process.stdout.write(`${jsonLine(event)}\n`)
    else if (event.type === 'done') process.stdout.write(stripControls(showDone(event)))
    else if (process.stderr.isTTY) process.stderr.write(`\r${event.done} of ${event.total} `)
    if (event.type === 'done') isDone = true
    else if (!json && process.stderr.isTTY && event.done === event.total) process.stderr.write('\n')
  }
  return isDone
}

function showPreview(preview: ImportPreview, withMemories: boolean): string {
  const { kind, path, sessions, messages, known, memories, titles, skipped } = preview
  const fresh = known > 0 ? `, ${many(known, 'chat')} of them imported already` : ''
  const notes =
    memories === 0 ? '' : `, ${many(memories, 'memory', 'memories')}${withMemories ? '' : ' (not imported)'}`
  const more = sessions - TITLES
  return lines([
    `${path}, from ${NAMES[kind]}: ${many(sessions, 'chat')} with ${many(messages, 'message')}${fresh}${notes}.`,
    ...titles.slice(0, TITLES).map(title => `  ${title.replaceAll('\n', ' ')}`),
    ...(more > 0 ? [`  … and ${many(more, 'other')}`] : []),
    ...showSkipped(skipped),
  ])
}

const showDone = ({ sessions, messages, memories, skipped }: Extract<ImportProgress, { type: 'done' }>) =>
  lines([
    `Imported ${many(sessions, 'chat')} with ${many(messages, 'message')} and ${many(memories, 'memory', 'memories')}.`,
    ...showSkipped(skipped),
  ])

const showSkipped = (skipped: ImportPreview['skipped']) =>
  skipped.map(({ what, why, count }) => {
    const things = many(count, what, what === 'memory' ? 'memories' : `${what}s`)
    return `Skipped: ${things} (${why}).`
  })

const lines = (texts: readonly string[]) => texts.map(text => `${text}\n`).join('')
