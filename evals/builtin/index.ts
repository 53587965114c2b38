import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openAsker } from './ask.ts'
import { makeConversations, readConversations } from './conversation.ts'
import type { Conversation, Split } from './conversation.ts'
import { figuresOf, measure } from './measure.ts'
import type { Measured } from './measure.ts'
import { roundScores } from './judge.ts'
import { measureSpeed } from './speed.ts'
import type { Speed } from './speed.ts'
import { fail, printFigures } from '../command-line.ts'

const USAGE = `Usage: npm run -s eval:builtin -- [--model file.gguf] [--limit conversations] [--split id|test]
  [--speed] [--wrong file.json] [--scores file.json] [--id file.jsonl] [--test file.jsonl]`

const shipped = fileURLToPath(new URL('../../resources/models/talaria-mini.gguf', import.meta.url))
const splits = ['id', 'test'] as const

/** The number of conversations of a split without --limit: as many as for the record. */
const USUAL = 150
const SPEED_ROUNDS = 12

/**
 * Ask the built-in model everything in the conversations, and print how much of it is right. It is asked as
 * in the product, but at temperature 0 and on one thread.
 */
async function main(): Promise<void> {
  const given = readArguments()
  if (!existsSync(given.model))
    fail(`There is no model at ${given.model}. Train one (training/README.md), or name one with --model.`)
  const conversations = given.splits.map(split => [split, given.read(split)] as const)
  const asker = await openAsker(given.model)
  try {
    const measured: Partial<Record<Split, Measured>> = {}
    let speed: Speed | undefined
    for (const [split, those] of conversations) {
      if (given.speed) speed ??= await measureSpeed(asker, those.slice(0, SPEED_ROUNDS))
      measured[split] = await measure(asker, those, done => {
        if (done % 20 === 0 || done === those.length)
          process.stderr.write(`\r${split}: ${done} of ${those.length} conversations `)
      })
      process.stderr.write('\n')
    }
    if (given.wrong !== undefined) writeFileSync(given.wrong, JSON.stringify(wrongOf(measured), null, 2))
    if (given.scores !== undefined)
      writeFileSync(given.scores, `${JSON.stringify(scoresOfSplits(measured, speed))}\n`)
    for (const [split, { product, free, turns, kinds }] of Object.entries(measured)) {
      console.log(`\n${split}: ${turns} replies, as the product asks; free: without grammar and known words`)
      console.table(mapValues({ product, ...kinds, free }, roundScores))
    }
    if (speed) console.log(JSON.stringify({ speed }))
    printFigures('builtin', figuresOf(measured))
  } finally {
    await asker.close()
  }
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        model: { type: 'string', default: shipped },
        limit: { type: 'string', default: String(USUAL) },
        split: { type: 'string' },
        speed: { type: 'boolean', default: false },
        wrong: { type: 'string' },
        scores: { type: 'string' },
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

/** The scores that `training/manifest.py` writes beside a model. */
function scoresOfSplits(measured: Partial<Record<Split, Measured>>, speed: Speed | undefined) {
  const by = (pick: (each: Measured) => unknown) =>
    Object.fromEntries(Object.entries(measured).map(([split, each]) => [split, pick(each)]))
  return {
    ...by(each => roundScores(each.product)),
    free: by(each => roundScores(each.free)),
    turns: by(each => each.turns),
    ...(speed && { speed }),
  }
}

const mapValues = <From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

await main()
