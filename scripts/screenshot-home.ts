import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openConnection } from '../src/main/db/connection.ts'
import { openStore } from '../src/main/db/store.ts'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import type { Message } from '../src/shared/contract/chats/messages.ts'
import type { Place } from '../testing/window/place.ts'
import type { SeededEntry, SeededProposal, SeededSkill, Seeding } from '../testing/window/protocol.ts'
import { seeds } from '../testing/window/seeds.ts'

// What a person has in Talaria after some weeks: chats, memory, skills, proposals and models.

const HOUR = 3_600_000
const DAY = 24 * HOUR
const MODEL = 'Qwen3-8B-Q4_K_M'
/** The file of the model for new chats, relative to the home folder. */
export const modelFile = join('models', `${MODEL}.gguf`)

/** Fill an empty home with some weeks of use. */
export function fillHome({ home, workspace }: { home: string; workspace: string }): void {
  for (const folder of [home, workspace]) mkdirSync(folder, { recursive: true })
  const report = (error: unknown) => {
    throw error
  }
  const { store } = openStore(home, { clock: Date.now, report })
  const { db } = openConnection(join(home, 'state.db'))
  const served = { modelUrl: '', filesUrl: '', listModels: report, putFile: report }
  const bundled = join(rootFolder(), 'skills')
  const closing: (() => void)[] = []
  const onClose = (each: () => void) => void closing.push(each)
  const place: Place = { home, workspace, bundled, store, served, db, setClock: () => undefined, onClose }
  try {
    for (const { seed, input } of weeksOfUse(home, Date.now()))
      (seeds[seed] as (at: Place, given: unknown) => unknown)(place, input)
  } finally {
    for (const each of closing) each()
    db.close()
    store.close()
  }
}

function weeksOfUse(home: string, now: number): Seeding[] {
  return [
    ...chats(`file:${join(home, modelFile)}`, now),
    { seed: 'project', input: 'garden-club' },
    ...entries(now).map(input => ({ seed: 'entry', input }) as const),
    ...skills(now).map(input => ({ seed: 'skill', input }) as const),
    { seed: 'skillChange', input: longerReport(now) },
    ...proposals(now).map(input => ({ seed: 'proposal', input }) as const),
    { seed: 'modelFile', input: { home: modelFile, sizeBytes: 5.03e9, parameters: 8.19e9, layers: 36 } },
    {
      seed: 'modelFile',
      input: {
        home: 'models/Gemma-3-4B-it-Q4_K_M.gguf',
        sizeBytes: 2.49e9,
        parameters: 3.88e9,
        layers: 34,
        architecture: 'gemma3',
      },
    },
    {
      seed: 'modelFile',
      input: {
        home: 'models/Llama-3.3-70B-Instruct-Q4_K_M.gguf',
        sizeBytes: 42.5e9,
        parameters: 70.6e9,
        layers: 80,
        architecture: 'llama',
      },
    },
  ]
}

/** Questions and answers of the last weeks, by the id of their chat. */
function chats(modelId: string, now: number): Seeding[] {
  const said: [id: string, age: number, title: string, question: string, answer: string][] = [
    [
      'club',
      2 * HOUR,
      'Notes from the garden club',
      'Write up my notes from the garden club. From next month on we meet on Thursdays.',
      'The notes are in `garden-club/november.md`, with Thursday as the new day.',
    ],
    [
      'report',
      DAY,
      'The weekly report for Jonas',
      'Write the weekly report for Jonas. Please put the open questions first, he reads only the top.',
      'The report is in `reports/week-47.md`. The three open questions come first.',
    ],
    [
      'photos',
      2 * DAY,
      'Rename the photos by date',
      'Rename the photos in this folder by the date they were taken.',
      'All 214 photos are named by their date. Two had none and kept their names.',
    ],
    [
      'books',
      5 * DAY,
      'A reading list for the winter',
      'Make a reading list for the winter. I like long novels, and I read German and French too.',
      'Twelve novels are in `reading.md`, four of them in German and three in French.',
    ],
    [
      'build',
      9 * DAY,
      'Why is my build slow?',
      'Why is my build slow? I always use pnpm here, never npm.',
      'It installs everything each time. With the store of pnpm in the cache it takes 40 seconds.',
    ],
  ]
  return said.map(([id, age, title, question, answer], index) => ({
    seed: 'chat',
    input: { id, title, modelId, messages: turn(id, index, now - age, question, answer) },
  }))
}

function turn(sessionId: string, index: number, at: number, question: string, answer: string): Message[] {
  const asked = { id: index * 2 + 1, sessionId, at, role: 'user', text: question } as const
  const written = { reasoning: '', calls: [], interrupted: false, model: MODEL }
  return [
    asked,
    { id: asked.id + 1, sessionId, at: at + 20_000, role: 'assistant', text: answer, ...written },
  ]
}

function entries(now: number): SeededEntry[] {
  const from = (sessionId: string, messageId: number) => ({ origin: 'review', sessionId, messageId }) as const
  return [
    { text: 'Lives in Bern with Mia and two cats.', createdAt: now - 24 * DAY, uses: 31 },
    {
      text: 'Wants short answers, and the reasons only when asked.',
      createdAt: now - 22 * DAY,
      uses: 31,
      locked: true,
    },
    {
      text: 'Reads German and French as well as English.',
      createdAt: now - 5 * DAY,
      uses: 9,
      ...from('books', 7),
    },
    {
      text: 'Jonas is the manager; he reads only the top of a report.',
      createdAt: now - DAY,
      uses: 4,
      ...from('report', 3),
    },
    {
      text: 'Grows vegetables and keeps a list of the seeds that are left.',
      createdAt: now - 12 * DAY,
      uses: 6,
    },
    {
      text: 'Uses pnpm for packages, never npm.',
      target: 'memory',
      createdAt: now - 9 * DAY,
      uses: 5,
      ...from('build', 9),
    },
    {
      text: 'Photos are named 2026-11-04_1.jpg, by the date they were taken.',
      target: 'memory',
      createdAt: now - 2 * DAY,
    },
  ]
}

const reportSkill = (order: string) => `---
name: weekly-report
description: Writes the weekly report from notes and commits. Use when the user asks for a weekly report.
---

# Weekly report

1. Read the notes of the week in \`notes/\`, and the commits since last Monday.
2. ${order}
3. Name what was done in at most five lines, each with its result.
4. Write it to \`reports/week-NN.md\`, and show it before it is sent.

## Style

- One line for each thing, without adjectives.
- Numbers only with what they were last week.
`
const lastOrder = 'End with the open questions.'
const firstOrder = 'Begin with the open questions; Jonas reads only the top.'

function skills(now: number): SeededSkill[] {
  const used = (times: number) =>
    Array.from({ length: times }, (_, n) => ({
      sessionId: 'report',
      messageId: n + 1,
      at: now - (times - n) * DAY,
    }))
  return [
    {
      name: 'weekly-report',
      text: reportSkill(lastOrder),
      at: now - 20 * DAY,
      uses: used(4),
    },
    {
      name: 'name-photos',
      from: 'agent',
      at: now - 2 * DAY,
      sessionId: 'photos',
      messageId: 5,
      uses: used(1),
      text: `---
name: name-photos
description: Renames photos by the date they were taken. Use when the user wants photos named or sorted.
---

# Name photos

1. Read the date of each photo; \`exiftool -DateTimeOriginal\` prints it.
2. Show the first ten new names and ask.
3. Rename. A photo without a date keeps its name and is listed.
`,
    },
  ]
}

const longerReport = (now: number) => ({
  id: 'own/weekly-report',
  text: reportSkill(firstOrder),
  actor: 'you' as const,
  at: now - DAY,
})

function proposals(now: number): SeededProposal[] {
  return [
    {
      sessionId: 'club',
      at: now - HOUR,
      headline: 'The garden club meets on Thursdays.',
      evidence: [{ messageId: 1, quote: 'From next month on we meet on Thursdays.' }],
    },
    {
      sessionId: 'report',
      at: now - DAY + HOUR,
      kind: 'skill',
      op: 'edit',
      headline: 'Change the skill weekly-report',
      place: 'weekly-report',
      before: reportSkill(firstOrder),
      after: reportSkill(firstOrder).replace('in at most five lines', 'in at most three lines'),
      evidence: [{ messageId: 3, quote: 'he reads only the top.' }],
      because: 'It would change what you wrote yourself.',
    },
    {
      sessionId: 'books',
      at: now - 3 * HOUR,
      headline: 'Likes long novels.',
      evidence: [{ messageId: 7, quote: 'I like long novels' }],
      state: 'kept',
      decidedAt: now - 2 * HOUR,
    },
    {
      sessionId: 'build',
      at: now - 4 * HOUR,
      headline: 'The build takes 40 seconds.',
      evidence: [{ messageId: 10, quote: 'it takes 40 seconds' }],
      state: 'rejected',
      decidedAt: now - 2 * HOUR,
    },
  ]
}
