import { decideCall } from '../../src/main/agent/approvals/decide.ts'
import { unsafeReason } from '../../src/main/memory/unsafe-text.ts'
import { ownSentences } from '../../src/main/learning/by-rules/own-words.ts'
import { mendArguments } from '../../src/main/models/formats/reader/mend-arguments.ts'
import { createToolCallReader } from '../../src/main/models/formats/reader/reader.ts'
import { parseSchedule } from '../../src/main/schedules/parse-schedule.ts'
import { parseFront } from '../../src/main/skills/files/parse-front.ts'
import { scanSkill } from '../../src/main/skills/check/scan-skill.ts'
import { patchText } from '../../src/main/tools/patch/patch-text.ts'
import { diffTexts } from '../../src/main/tools/diff.ts'
import { readGlobs } from '../../src/main/tools/search/glob-list.ts'
import { textOfMarkdown } from '../../src/main/chats/search/text-of-markdown.ts'
import { readMarkdown } from '../../src/main/gateway/telegram/text/read-markdown.ts'
import { readEnv } from '../../src/main/config/env-file.ts'
import { addressesSaid } from '../../src/main/lib/web-address.ts'
import { redactText } from '../../src/main/lib/redact.ts'
import { readBlock } from '../../src/renderer/markdown/blocks/read-block.ts'
import { splitBlocks } from '../../src/renderer/markdown/blocks/split-blocks.ts'
import { showHidden } from '../../src/shared/visible-text/show-hidden.ts'
import { fullTools } from '../chat-tools.ts'

/** What reads texts of others while the host or the window waits. `most`: letters of the longest text that it is given there. */
export type Parser = { what: string; most: number; read(text: string): unknown }

const tools = fullTools()

const judge = (platform: NodeJS.Platform) => (command: string) =>
  decideCall({
    tool: 'terminal',
    intent: {
      title: 'Run',
      risk: 'execute',
      inWorkspace: true,
      folder: '/home/ada/notes',
      command,
      detail: command,
    },
    mode: 'reads',
    grants: [],
    rights: { confined: true, whyNot: '', offline: false },
    userHome: '/home/ada',
    platform,
  })

function readCalls(text: string): number {
  const reader = createToolCallReader({ tools })
  let events = 0
  for (const _event of [...reader.push(text), ...reader.end()]) events++
  return events
}

/** The parsers of the host and the window whose texts come from models, servers, pages, files or strangers. */
export const PARSERS: readonly Parser[] = [
  { what: 'a command, before it runs', most: 40_000, read: judge('linux') },
  { what: 'a command of Windows, before it runs', most: 40_000, read: judge('win32') },
  {
    what: 'a patch whose text is not in the file',
    most: 250_000,
    read: text => patchText(text, { old: `${text.slice(0, text.length / 10)}Q`, new: '', all: false }),
  },
  { what: 'what a new file changes', most: 250_000, read: text => diffTexts(text, `${text}x`) },
  { what: 'a list of globs', most: 4_000, read: text => readGlobs(text, []) },
  { what: 'calls in the answer of a model', most: 500_000, read: readCalls },
  { what: 'arguments of a call', most: 500_000, read: mendArguments },
  { what: 'keys in a text', most: 250_000, read: redactText },
  { what: 'signs that hide others', most: 500_000, read: showHidden },
  { what: 'an answer, as a search in its chat reads it', most: 500_000, read: textOfMarkdown },
  { what: 'an answer, for Telegram', most: 500_000, read: text => readMarkdown(text, true) },
  { what: 'an answer, cut into blocks', most: 500_000, read: splitBlocks },
  { what: 'a block of an answer', most: 40_000, read: readBlock },
  { what: 'addresses in a message', most: 200_000, read: addressesSaid },
  { what: 'what a message says of the user', most: 200_000, read: ownSentences },
  { what: 'orders in a text that would be remembered', most: 20_000, read: text => unsafeReason(text) },
  { what: 'a script of a skill', most: 250_000, read: text => scanSkill([{ path: 'a.sh', text }]) },
  { what: 'a text of a skill', most: 250_000, read: text => scanSkill([{ path: 'SKILL.md', text }]) },
  { what: 'the front matter of a skill', most: 32_000, read: parseFront },
  { what: 'keys in .env', most: 1_000_000, read: readEnv },
  {
    what: 'the time of a schedule',
    most: 2_000,
    read: text => parseSchedule(text, { now: new Date(0), zone: 'UTC' }),
  },
]
