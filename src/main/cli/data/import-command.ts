import type { HostClient } from '../../../shared/contract/index.ts'
import type {
  HomeChoice,
  ImportedHome,
  ImportPreview,
  ImportProgress,
} from '../../../shared/contract/import.ts'
import { absolutePath } from '../command-line.ts'
import { withClient } from '../open-client.ts'
import { many, stripControls } from '../output/terminal-text.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import { stopOnSignals } from '../stop-on-signals.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

export type ImportOptions = {
  home?: string
  json?: true
  yes?: true
  memories: boolean
  skills: boolean
  settings: boolean
  soul: boolean
  keys?: true
}

const NAMES = { hermes: 'a Hermes agent', chatgpt: 'ChatGPT', claude: 'Claude' }
/** Maximum number of titles to show before the question. */
const TITLES = 5

const UNANSWERABLE = 'There is no terminal to confirm the import. Add --yes to import without asking.'

/** Preview an import, ask, and run it. Resolves to whether it succeeded or there was nothing to do. */
export async function importFrom(given: string, options: ImportOptions): Promise<boolean> {
  const { home, json, yes, memories } = options
  const choice = choiceOf(options)
  using stopping = stopOnSignals()
  try {
    return await withClient(home, async client => {
      const preview = await client['import.preview'](
        { path: absolutePath(given) },
        { signal: stopping.signal },
      )
      if (json) process.stdout.write(`${jsonLine({ type: 'preview', ...preview })}\n`)
      else
        process.stderr.write(stripControls(showPreview(preview, memories) + showHome(preview.home, choice)))
      const isNothing = preview.sessions - preview.known + (memories ? preview.memories : 0) === 0
      if (isNothing && !hasWanted(preview.home, choice)) {
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
  options: ImportOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { json, memories } = options
  let isDone = false
  for await (const event of client['import.run']({ id, memories, home: choiceOf(options) }, { signal })) {
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
  const fresh = known > 0 ? `, ${known} of them already imported` : ''
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

const showDone = ({
  sessions,
  messages,
  memories,
  home,
  skipped,
}: Extract<ImportProgress, { type: 'done' }>) =>
  lines([
    `Imported ${many(sessions, 'chat')} with ${many(messages, 'message')} and ${many(memories, 'memory', 'memories')}.`,
    ...(home
      ? [
          `Also imported ${many(home.skills, 'skill')}, ${many(home.settings, 'setting')}, ${many(home.keys, 'key')}${home.soul ? ' and SOUL.md' : ''}.`,
        ]
      : []),
    ...showSkipped(skipped),
  ])

/** The kinds of things that are counted when skipped; any other `what` is the name of one thing. */
const COUNTED = new Set(['chat', 'message', 'memory', 'attachment', 'entry', 'skill file'])

const choiceOf = ({ skills, settings, soul, keys }: ImportOptions): HomeChoice => ({
  skills,
  settings,
  soul,
  keys: keys === true,
})

const hasWanted = (found: ImportedHome | null, choice: HomeChoice): boolean =>
  found !== null &&
  ((choice.skills && found.skills > 0) ||
    (choice.settings && found.settings.length > 0) ||
    (choice.soul && found.soul !== null) ||
    (choice.keys && found.keys.length > 0))

/** Describe what else a Hermes home folder contains, and which parts are imported. */
function showHome(found: ImportedHome | null, choice: HomeChoice): string {
  if (!found) return ''
  const not = (isWanted: boolean, how = '') => (isWanted ? '' : ` (not imported${how})`)
  const { skills, settings, soul, keys } = found
  return lines([
    ...(skills > 0 ? [`${many(skills, 'skill')}, checked${not(choice.skills)}.`] : []),
    ...(settings.length > 0 ? [`${many(settings.length, 'setting')}${not(choice.settings)}:`] : []),
    ...settings.map(({ from, path, value }) => `  ${path}: ${JSON.stringify(value)} (${from})`),
    ...(soul
      ? [
          `SOUL.md, ${many(soul.chars, 'character')}${soul.replaces ? '; yours is kept in the backups folder' : ''}${not(choice.soul)}.`,
        ]
      : []),
    ...(keys.length > 0
      ? [`${many(keys.length, 'key')} in its .env${not(choice.keys, ' without --keys')}:`]
      : []),
    ...keys.map(
      ({ name, masked, replaces }) =>
        `  ${name} ${masked}${replaces ? ', replaces the key stored here' : ''}`,
    ),
  ])
}

const showSkipped = (skipped: ImportPreview['skipped']) =>
  skipped.map(({ what, why, count }) => {
    const isNamed = !COUNTED.has(what) && count === 1
    const things = isNamed ? what : many(count, what, what === 'memory' ? 'memories' : `${what}s`)
    return `Skipped: ${things} (${why}).`
  })

const lines = (texts: readonly string[]) => texts.map(text => `${text}\n`).join('')
