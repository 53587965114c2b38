import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { acceptManifest } from './accept.ts'
import { isBlocked } from './block-list.ts'
import { writeConversation, type Conversation } from './conversation.ts'
import { ownWords } from './own-words.ts'
import { piecesOf } from './pieces.ts'
import { openProduct } from './product.ts'
import { SPLITS, type Split } from './split.ts'

const { values } = parseArgs({
  options: {
    split: { type: 'string', default: 'train' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    out: { type: 'string' },
    pieces: { type: 'string' },
    accept: { type: 'string' },
    words: { type: 'string' },
  },
})

const product = openProduct()
if (values.pieces !== undefined) writeFileSync(values.pieces, JSON.stringify(piecesOf(product), null, 2))
if (values.accept !== undefined) acceptManifest(values.accept, piecesOf(product))
if (values.words !== undefined) await writeWords(values.words, values.seed, Number(values.count))
if (values.out !== undefined)
  await writeAll(values.out, splitOf(values.split), values.seed, Number(values.count))

function splitOf(name: string): Split {
  const split = SPLITS.find(each => each === name)
  if (!split) throw new Error(`There is no split ${name}. Splits: ${SPLITS.join(', ')}.`)
  return split
}

/** Write the words of its own that a model needs for its calls. */
async function writeWords(path: string, seed: string, count: number): Promise<void> {
  const conversations: Conversation[] = []
  for (let at = 0; at < count; at++)
    conversations.push(await writeConversation(product, 'train', `${seed}-${at}`))
  writeFileSync(path, JSON.stringify(ownWords(conversations)))
}

/** Write conversations one a line, as fast as the disk takes them. */
async function writeAll(path: string, split: Split, seed: string, count: number): Promise<void> {
  const file = createWriteStream(path)
  const began = performance.now()
  let letters = 0
  for (let at = 0; at < count; at++) {
    const conversation = await writeConversation(product, split, `${seed}-${at}`)
    const text = `${JSON.stringify(conversation)}\n`
    if (isBlocked(text)) continue
    letters += text.length
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
  const seconds = (performance.now() - began) / 1_000
  process.stderr.write(`${count} conversations, ${Math.round(letters / 1e6)} MB in ${seconds.toFixed(1)} s\n`)
}
