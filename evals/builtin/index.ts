import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openAsker } from './ask.ts'
import { makeConversations, readConversations } from './conversation.ts'
import type { Conversation, Split } from './conversation.ts'
import { measure } from './measure.ts'
import type { Measured } from './measure.ts'
import { measureSpeed } from './speed.ts'
import type { Speed } from './speed.ts'
import { fail } from '../command-line.ts'

const USAGE = `Usage: npm run -s eval:builtin -- [--json] [--model file.gguf] [--limit conversations] [--split id|test]
  [--speed] [--wrong file.json] [--id file.jsonl] [--test file.jsonl]`

const shipped = fileURLToPath(new URL('../../resources/models/talaria-mini.gguf', import.meta.url))
const splits = ['id', 'test'] as const

/** Conversations of a split, unless --limit says otherwise. */
const USUAL = 400
const SPEED_ROUNDS = 12

/** Ask the built-in model everything that the conversations ask, and print how much of it is right. */
async function main(): Promise<void> {
  const given = readArguments()
  if (!existsSync(given.model)) {
    console.error(
      `There is no model at ${given.model}. Train one (training/README.md), or name one with --model.`,
    )
    process.exit(2)
  }
  const asker = await openAsker(given.model)
  try {
    const measured: Partial<Record<Split, Measured>> = {}
    let speed: Speed | undefined
    for (const split of given.splits) {
      const conversations = given.read(split)
      if (given.speed) speed ??= await measureSpeed(asker, conversations.slice(0, SPEED_ROUNDS))
      measured[split] = await measure(asker, conversations, done => {
        if (done % 20 === 0 || done === conversations.length)
          process.stderr.write(`\r${split}: ${done} of ${conversations.length} conversations `)
      })
      process.stderr.write('\n')
    }
    if (given.wrong !== undefined) writeFileSync(given.wrong, JSON.stringify(wrongOf(measured), null, 2))
    print(given.json, measured, speed)
  } finally {
    await asker.close()
  }
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        model: { type: 'string', default: shipped },
        limit: { type: 'string', default: String(USUAL) },
        split: { type: 'string' },
        speed: { type: 'boolean', default: false },
        wrong: { type: 'string' },
        id: { type: 'string' },
        test: { type: 'string' },
      },
    })
    const limit = Number(values.limit)
    const chosen = splits.filter(split => values.split === undefined || split === values.split)
    if (!Number.isInteger(limit) || limit < 1 || chosen.length === 0) return fail(USAGE)
    const read = (split: Split): Conversation[] => {
      const file = values[split]
      return file === undefined ? makeConversations(split, limit) : readConversations(file).slice(0, limit)
    }
    return { ...values, splits: chosen, read }
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

const wrongOf = (measured: Partial<Record<Split, Measured>>) =>
  Object.fromEntries(Object.entries(measured).map(([split, { wrong }]) => [split, wrong]))

/** The last line is one JSON object; without --json a table stands before it. */
function print(
  onlyJson: boolean,
  measured: Partial<Record<Split, Measured>>,
  speed: Speed | undefined,
): void {
  const entries = Object.entries(measured)
  if (!onlyJson)
    for (const [split, { free, grammar, turns, kinds }] of entries) {
      console.log(`\n${split}: ${turns} replies`)
      console.table({ free, grammar, ...kinds })
    }
  const by = (pick: (each: Measured) => unknown) =>
    Object.fromEntries(entries.map(([split, each]) => [split, pick(each)]))
  const rest = { grammar: by(each => each.grammar), turns: by(each => each.turns), ...(speed && { speed }) }
  console.log(JSON.stringify({ ...by(each => each.free), ...rest }))
}

await main()
