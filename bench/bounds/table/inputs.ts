/**
 * A kind of text from others, and its bound. `most`: the characters of the longest text that is read. `cut`:
 * the file that cuts, refuses or passes on a longer text, and the code there that does so; a test looks for
 * it. `mostMs`: the processor time that it may take, if more than others, because only the user or a program
 * of theirs writes it. `thread`: a separate thread or process reads it and is ended after so many seconds;
 * `told` is the file that tells the model and the person so.
 */
export type Input = {
  what: string
  most: number
  mostMs?: number
  cut: readonly [file: string, says: string]
  thread?: { seconds: number; limit: readonly [file: string, says: string]; told: string }
}

/**
 * Files, each with its functions that read a text: `input: name name; other-input: name`. The name before the
 * colon is one of `INPUTS`; the names after it are exported functions.
 */
export type Rows = Readonly<Record<string, string>>

const BODY = 48 * 1024 * 1024

/** The kinds of texts that others may write, and how long one can be where it is read. */
export const INPUTS = {
  answer: {
    what: 'an answer of a model, and whatever a chat shows',
    most: 500_000,
    cut: ['src/main/models/engines/shared/bound-answer.ts', 'MOST_ANSWER = 500_000'],
  },
  block: {
    what: 'a block of an answer in the window',
    most: 40_000,
    cut: ['src/renderer/markdown/blocks/references.ts', 'MOST = 40_000'],
  },
  formula: {
    what: 'a formula of an answer',
    most: 4_000,
    cut: ['src/renderer/markdown/math/math-syntax.ts', 'LONGEST = 4_000'],
  },
  message: {
    what: 'a message of the user, often pasted',
    most: 200_000,
    cut: ['src/shared/contract/chats/messages.ts', 'MAX_MESSAGE_CHARS = 200_000'],
  },
  request: {
    what: 'a message that the built-in model or the decider looks at closely',
    most: 8_000,
    cut: ['src/main/builtin/guide/understand.ts', 'MOST_READ = 8_000'],
  },
  question: {
    what: 'a message that may have an answer without a model',
    most: 400,
    cut: ['src/main/builtin/answers/answer-at-once.ts', 'LONGEST = 400'],
  },
  command: {
    what: 'a command of a model',
    most: 40_000,
    cut: ['src/main/tools/terminal/terminal.ts', 'max(40_000)'],
  },
  file: {
    what: 'a file that a tool reads or changes',
    most: 1_000_000,
    cut: ['src/main/tools/files/run-file-job.ts', 'page: 1_000_000'],
  },
  patched: {
    what: 'a file that is patched or compared, as long as its thread is in time with; longer ones are refused in words',
    most: 1_000_000,
    cut: ['src/main/tools/files/run-file-job.ts', 'patch: 16_000, compare: 16_000'],
    thread: {
      seconds: 20,
      limit: ['src/main/tools/files/run-file-job.ts', 'LIMIT_MS = 20_000'],
      told: 'src/main/tools/files/run-file-job.ts',
    },
  },
  redacted: {
    what: 'a text that is searched for secrets',
    most: 250_000,
    cut: ['src/main/tools/files/run-file-job.ts', 'THREAD_CHARACTERS = 250_000'],
  },
  digits: {
    what: 'a number that may be one of a passport, a tax office or an insurance',
    most: 60,
    cut: ['src/main/untrusted/secrets/national-numbers.ts', 'text.slice(from, from + 60)'],
  },
  output: {
    what: 'what a command printed, or another result of a tool',
    most: 1_000_000,
    cut: ['src/main/commands/command-output.ts', 'MOST_KEPT = 1_000_000'],
  },
  result: {
    what: 'a result of an MCP server',
    most: 1_000_000,
    cut: ['src/main/mcp/results/read-result.ts', 'MOST_TEXT = 1_000_000'],
  },
  description: {
    what: 'what an MCP server says of a tool',
    most: 8_000,
    cut: ['src/main/mcp/judge-tools.ts', 'LONGEST_DESCRIPTION = 8_000'],
  },
  schema: {
    what: 'a pattern or a name in the schema of a tool',
    most: 100_000,
    cut: ['src/main/json-schema/judge-schema.ts', 'LARGEST_SCHEMA = 100_000'],
  },
  'wish-of-tool': {
    what: 'what a model looks for among the tools',
    most: 2_000,
    cut: ['src/main/mcp/finding/find-tool.ts', 'MOST_LETTERS = 2_000'],
  },
  pasted: {
    what: 'the settings of servers, pasted or in a project',
    most: 100_000,
    cut: ['src/shared/contract/connections/mcp.ts', 'max(100_000)'],
  },
  path: {
    what: 'a path or a name that a model wrote',
    most: 4_096,
    cut: ['src/main/files/paths/resolve-path.ts', 'LONGEST_PATH = 4_096'],
  },
  pattern: {
    what: 'a pattern of a search in files',
    most: 2_000,
    cut: ['src/main/tools/search/search-files.ts', 'max(2_000)'],
  },
  globs: {
    what: 'a list of globs',
    most: 4_000,
    cut: ['src/main/tools/search/read-globs.ts', 'MOST_LETTERS = 4_000'],
  },
  query: {
    what: 'what is looked for in chats',
    most: 1_000,
    cut: ['src/main/chats/search/query.ts', 'MAX_CHARS = 1_000'],
  },
  word: {
    what: 'a word of what is looked for',
    most: 64,
    cut: ['src/main/chats/search/query.ts', 'MAX_WORD_CHARS = 64'],
  },
  address: {
    what: 'an address of the web',
    most: 4_000,
    cut: ['src/main/web/tools/web-read.ts', 'max(4_000)'],
  },
  'page-part': {
    what: 'a part of a page, as a model gets it',
    most: 16_000,
    cut: ['src/main/web/tools/web-read.ts', 'MOST_TEXT = 16_000'],
  },
  'page-text': {
    what: 'the text of a page',
    most: 2_000_000,
    cut: ['src/main/web/read/read-page.ts', 'MOST_TEXT = 2_000_000'],
  },
  page: {
    what: 'a page of the web',
    most: 5_000_000,
    cut: ['src/main/web/read/read-page.ts', 'MOST_BYTES = 5_000_000'],
    thread: {
      seconds: 20,
      limit: ['src/main/web/read/read-fetched.ts', 'timeMs: 20_000'],
      told: 'src/main/web/read/read-fetched.ts',
    },
  },
  hits: {
    what: 'the answer of a search engine',
    most: 5_000_000,
    cut: ['src/main/web/fetch/fetch-address.ts', 'bytes: 5_000_000'],
  },
  document: {
    what: 'a document that is attached or read',
    most: 32_000_000,
    cut: ['src/main/documents/read-source.ts', 'MOST_TEXT = 32_000_000'],
    thread: {
      seconds: 20,
      limit: ['src/main/documents/read-document.ts', 'timeMs: 20_000'],
      told: 'src/main/documents/read-document.ts',
    },
  },
  skill: {
    what: 'a file of a skill',
    most: 1_000_000,
    cut: ['src/main/skills/library/skill-files.ts', 'MOST_TEXT_BYTES = 1_000_000'],
  },
  scanned: {
    what: 'a file of a skill that is searched for what harms',
    most: 1_000_000,
    cut: ['src/main/skills/library/skill-files.ts', 'MOST_TEXT_BYTES = 1_000_000'],
    thread: {
      seconds: 60,
      limit: ['src/main/skills/library/open-scanner.ts', 'timeMs: 60_000'],
      told: 'src/main/skills/library/open-scanner.ts',
    },
  },
  front: {
    what: 'the front matter of a skill',
    most: 32_000,
    cut: ['src/main/skills/files/parse-front.ts', 'LONGEST = 32_000'],
  },
  'editor-text': {
    what: 'a text in an editor of the window',
    most: 400_000,
    cut: ['src/shared/contract/learned/skills.ts', 'max(400_000)'],
  },
  'git-said': {
    what: 'why git could not fetch a skill',
    most: 20_000,
    cut: ['src/main/skills/import/open-git.ts', 'MOST_ERROR_TEXT = 20_000'],
  },
  entry: {
    what: 'an entry of the memory',
    most: 20_000,
    cut: ['src/shared/contract/learned/memory.ts', 'MAX_ENTRY_CHARS = 20_000'],
  },
  notes: {
    what: 'a file of notes, also one of other programs',
    most: 2_000_000,
    cut: ['src/main/memory/outside/read-notes.ts', 'MAX_BYTES = 2_000_000'],
  },
  wish: {
    what: 'when a schedule should run',
    most: 20_000,
    cut: ['src/main/schedules/parse-schedule.ts', 'LONGEST_TEXT = 20_000'],
  },
  template: {
    what: 'a prompt template, or the instructions of a project',
    most: 8_000,
    cut: ['src/main/chats/read-templates.ts', 'LIMIT = 8_000'],
  },
  instructions: {
    what: 'AGENTS.md and its like',
    most: 12_000,
    cut: ['src/main/runs/prompt/folder-section.ts', 'full: 12_000'],
  },
  config: {
    what: 'config.yaml, which only the user and Talaria write',
    most: 250_000,
    mostMs: 2_000,
    cut: ['src/main/config/parse.ts', 'MOST_CHARACTERS = 250_000'],
  },
  settings: {
    what: 'another file of our own settings',
    most: 1_000_000,
    cut: ['src/main/config/home.ts', 'MAX_BYTES = 1_000_000'],
  },
  'settings-of-others': {
    what: 'the settings of another program, which the user and that program write',
    most: 4_000_000,
    mostMs: 1_000,
    cut: ['src/main/other-agents/connect/settings-file.ts', 'MOST_BYTES = 4_000_000'],
  },
  git: {
    what: 'configuration and hooks of a repository',
    most: 1_000_000,
    cut: ['src/main/confinement/obeyed/read-cached.ts', 'MAX_BYTES = 1_000_000'],
  },
  spool: {
    what: 'a line that another program handed over',
    most: 400_000,
    cut: ['src/main/other-agents/inbox/spool-names.ts', 'LINE_BYTES = 400_000'],
  },
  session: {
    what: 'a line of a session of another program',
    most: 400_000,
    cut: ['src/main/other-agents/import/read-session.ts', 'MOST_LINE = 400_000'],
  },
  imported: {
    what: 'a message of an imported chat',
    most: 1_000_000,
    cut: ['src/main/chats/import/chatgpt.ts', 'written.length > MAX_CHARS'],
  },
  row: {
    what: 'a row of a batch, or of training data',
    most: 1_000_000,
    cut: ['src/main/batch/row.ts', 'MAX_LINE = 1_000_000'],
  },
  body: {
    what: 'a request of another program to the models',
    most: BODY,
    cut: ['src/main/api/read-body.ts', 'MOST_BYTES = 48 * 1024 * 1024'],
  },
  refusal: {
    what: 'why a server of models refused',
    most: 65_536,
    cut: ['src/main/models/engines/shared/sdk-fetch.ts', 'MAX_REFUSAL_BYTES = 64 * 1024'],
  },
  'chat-template': {
    what: 'the chat template in a model file, as a program',
    most: 1_500_000,
    cut: ['src/main/models/engines/local/jinja/compile-template.ts', 'MOST_SOURCE = 1_500_000'],
  },
  'model-file': {
    what: 'the chat template in a model file',
    most: 4_194_304,
    cut: ['src/main/models/engines/local/gguf/gguf-header.ts', 'text: 4 << 20'],
  },
} satisfies Readonly<Record<string, Input>>

export type InputName = keyof typeof INPUTS
