import { formatOf } from '../../src/main/models/formats/format-table.ts'
import { prepareText } from '../../src/main/untrusted/borrowed-words.ts'
import { createToolCallReader } from '../../src/main/models/formats/reader/call-reader.ts'
import { parseShell } from '../../src/main/shell-safety/parse/parse-shell.ts'
import { RunLimits } from '../../src/main/models/engines/local/jinja/run-limits.ts'
import { fullTools } from '../chat-tools.ts'

const FOLDER = '/home/ada/notes'
const HOME = '/home/ada'
const tools = fullTools()

/** A part of a text, as a model might copy it with a mistake. */
const partOf = (text: string): string => `${text.slice(0, text.length / 10)}Q`

function readCalls(text: string): void {
  const reader = createToolCallReader({ tools })
  for (const _event of [...reader.push(text), ...reader.end()]) continue
}

const question = (command: string) => ({
  tool: 'terminal',
  intent: { title: 'Run', risk: 'execute', inWorkspace: true, folder: FOLDER, command, detail: command },
  mode: 'reads',
  grants: [],
  rights: { confined: true, whyNot: '', offline: false },
  userHome: HOME,
  platform: 'linux',
})

type Given = (...given: unknown[]) => unknown

/**
 * How to call functions of the table that take more than a text, by file and name. Most need no line here:
 * see `TYPES`.
 */
export const SAMPLES: Readonly<Record<string, (read: Given, text: string) => unknown>> = {
  'src/main/agent/approvals/decide.ts decideCall': (read, text) => read(question(text)),
  'src/main/models/formats/reader/call-reader.ts createToolCallReader': (_, text) => readCalls(text),
  'src/main/skills/check/scan-skill.ts scanSkill': (read, text) => [
    read([{ path: 'SKILL.md', text }]),
    read([{ path: 'a.sh', text }]),
  ],
  'src/main/files/patch/patch-text.ts patchText': (read, text) =>
    read(text, { old: partOf(text), new: '', all: false }),
  'src/main/files/patch/nearest-passage.ts nearestPassage': (read, text) => read(text, partOf(text)),
  // The address of a page is never as long as the page's text.
  'src/main/lib/network/web-address.ts addressesOn': (read, text) =>
    read(text, `https://example.com/${'a/'.repeat(1_990)}`),
  // The part of a result that is kept has at least 250 characters.
  'src/main/tools/tell/cut-texts.ts shortenTold': (read, text) => read(text, 4_000),
  // It never compares two long texts, only many texts with one.
  'src/main/lib/words/similarity.ts similarity': (read, text) => read(text, 'the line that is meant'),
  'src/main/files/paths/resolve-path.ts resolveFirst': (read, text) => read({}, { workspace: FOLDER }, text),
  'src/main/files/paths/resolve-path.ts resolveAgain': (read, text) => read({}, { workspace: FOLDER }, text),
  'src/main/models/download/target-names.ts nameOfAddress': (read, text) =>
    read('https://example.com/a', text),
  'src/main/other-agents/connect/edit-json.ts setInJson': (read, text) => read(text, ['a'], 'b'),
  'src/main/skills/files/write-fields.ts newSkillText': (read, text) =>
    read({ name: 'review', description: 'Reviews' }, text),
  'src/main/learning/proposals/learning-rules.ts ruleAgainst': (read, text) =>
    read({ rules: () => [{ example: 'likes tea' }], hitRule: () => undefined }, text),
  'src/main/schedules/next-instants.ts openPattern': (read, text) => readOrRefuse(() => read(text, 'UTC')),
}

/** Read a cron pattern, which its library refuses with a TypeError. */
function readOrRefuse(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (!String(error).includes('CronPattern')) throw error
    return undefined
  }
}

const known = {
  now: new Date(0),
  zone: 'UTC',
  folder: FOLDER,
  entries: ['Ada likes tea.', 'Ada lives in Vienna.'],
  said: ['I have a dog.'],
  tools: ['read_file', 'terminal'],
}
const scene = { known, entries: [], files: ['notes.md', 'src/main.ts'], folders: ['src'], skills: ['review'] }

/** Values for the other parameters, by the names of their types. */
export const TYPES: Readonly<Record<string, (text: string) => unknown>> = {
  AbortSignal: () => new AbortController().signal,
  Arguments: () => ({ list: ['a'], named: new Map() }),
  Buffer: () => Buffer.from('a text'),
  CharacterSet: () => [[97, 122]],
  Color: () => ({ r: 0, g: 0, b: 0, a: 1 }),
  Compared: () => ({ others: [prepareText('the tide turns at noon')], own: [prepareText('I like tea')] }),
  Date: () => new Date(0),
  Direction: () => 'next',
  Encode: () => () => Promise.resolve([]),
  FactKind: () => ({ name: 'name', asks: /name/, holds: /name is \w+/g }),
  FileWord: () => ({ start: 0, end: 1, query: 'a' }),
  Folded: () => ({ text: 'a title', places: [0, 1, 2, 3, 4, 5, 6] }),
  Format: () => formatOf('hermes'),
  FoundSkill: () => ({ name: 'review', parts: [] }),
  FrontMap: () => ({ name: 'review' }),
  JsonPath: () => ['a', 'b'],
  Known: () => known,
  KnownGit: () => ({ known: [], written: [] }),
  LengthBase: () => ({ fontSize: 16, rootSize: 16 }),
  Meaning: () => ({
    kind: 'call',
    call: { name: 'read_file', arguments: { path: 'notes.md' } },
    isSure: true,
  }),
  PageWish: () => ({ offset: 1, limit: 400 }),
  ParsedQuery: () => ({ must: undefined, wanted: [], everyday: [], unwanted: [] }),
  ParsedShell: text => parseShell(text, FOLDER, HOME),
  Remembered: () => known,
  RichText: () => ({ text: 'a link', entities: [] }),
  RunLimits: () => new RunLimits(Date.now() + 60_000),
  Scene: () => scene,
  SkillFields: () => ({ description: 'Reviews' }),
  TextEncoding: () => ({ characters: [[32, 1_000]], avoid: ['</'] }),
  TextFile: () => ({ text: 'a\nb\n', encoding: 'utf8', mark: false, exact: true }),
  TextPlace: () => ({ offset: 4, before: 'The ', after: 'tide' }),
  Tools: () => known,
  Value: () => 'a',
  Visitor: () => ({ open: () => undefined, close: () => undefined, text: () => undefined }),
  Wall: () => ({ year: 2026, month: 11, day: 30, hour: 9, minute: 0, second: 0 }),
  WantedCall: () => ({ name: 'read_file', arguments: { path: 'notes.md' } }),
  Where: () => ({ workspace: FOLDER, userHome: HOME }),
  Worded: () => ({ asked: 'what is here?', given: {}, result: 'notes.md\ntodo.txt', earlier: [] }),
}

const DRAWN = 'drawn by the window: `npm run bench -- --only answers,window` measures it'
const PATCH = 'part of patchText'
const PAGE = 'part of reading a page, in its thread'

/** Functions of the table that the bench does not call directly, by file and name, each with the reason. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  'src/main/attachments/document-text.ts writePassages': 'findPassages reads the message',
  'src/main/attachments/sent-documents.ts writeDocuments': 'findPassages reads the message',
  'src/main/chats/search/find-in-chat.ts findInChat': 'findPattern and textOfMarkdown read the texts',
  'src/main/gateway/tell-question.ts tellQuestion': 'the text is our own; the call is cut before',
  'src/main/mcp/finding/find-tool.ts findToolsByMeaning': 'the request is cut, and an encoder reads it',
  'src/main/models/engines/local/templates/switch-thinking.ts switchRender':
    'readTemplate reads the template',
  'src/main/models/formats/reader/reader-input.ts skipText': 'part of createToolCallReader',
  'src/main/models/formats/reader/reader-input.ts textComesNext': 'part of createToolCallReader',
  'src/main/permissions/second-look.ts askIfSafe': 'a model is asked; the command is cut before',
  'src/main/skills/edits/archive.ts loggedBytes': 'it copies bytes',
  'src/main/skills/import/copy-to-quarantine.ts fetchSkills': 'it fetches; the text is a name',
  'src/main/files/patch/adapt-exact.ts adaptExact': PATCH,
  'src/main/files/patch/adapt-exact.ts isMoved': PATCH,
  'src/main/files/patch/beside-one-line.ts readBesideOneLine': PATCH,
  'src/main/files/patch/refuse-unclear.ts flatLine': PATCH,
  'src/main/files/patch/refuse-unclear.ts unclearDepth': PATCH,
  'src/main/files/patch/refuse-unclear.ts unclearSign': PATCH,
  'src/main/tools/search/patterns/pattern-parts.ts charPart': 'part of readPattern',
  'src/main/skills/tools/skill-meanwhile.ts keepMeanwhile': 'it compares two texts as they are',
  'src/main/skills/tools/skill-meanwhile.ts refuseUnseenDeletion': 'it compares two texts as they are',
  'src/main/web/read/markdown/inline-text.ts inlineText': PAGE,
  'src/main/web/read/page/page-head.ts readHead': PAGE,
  'src/main/web/read/seen/browser/answer-request.ts answerRequest': 'it hands the page to the browser',
  'src/renderer/features/chat/store/draft-keeper.ts draftToShow': 'it compares two texts as they are',
  'src/renderer/features/chat/composer/known-skills.ts matchingSkills': DRAWN,
  'src/renderer/features/chat/composer/known-skills.ts slashWord': DRAWN,
  'src/renderer/markdown/math/typeset.ts typesetFormula': 'mathmlOf reads it with the same library',
  'src/renderer/markdown/slices.ts useGrowing': DRAWN,
}

/** Why the bench does not call a function of the table directly; undefined if it does. */
export const whyNotCalled = (file: string, name: string): string | undefined =>
  file.endsWith('.tsx') ? DRAWN : NOT_CALLED[`${file} ${name}`]
