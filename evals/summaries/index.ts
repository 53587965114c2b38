import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fail, printFigures, readRows } from '../command-line.ts'
import { compactWithModel } from './compact-with-model.ts'
import { ChatRow, measureSummaries, SummaryRow } from './measure.ts'

const USAGE = `Usage: npm run -s eval:summaries -- [FILE.jsonl] [--chats FILE.jsonl] [--model FILE.gguf]
  FILE.jsonl: rows {id, chat, summary, expect: good or junk}; --chats: rows {chat, messages: [{role, text}]}
  --model: the chats are compacted with that model, as the product does, and what came of each is printed`

const own = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Says which summaries would be kept. All of the repository's own set must be right. */
async function main(): Promise<void> {
  const { model, chats: chatFile, file } = readArguments()
  const chats = readRows(chatFile ?? own('chats.jsonl'), ChatRow)
  if (model !== undefined) {
    for (const chat of chats) console.log(JSON.stringify(await compactWithModel(model, chat)))
    return
  }
  const { rows, figures } = measureSummaries(chats, readRows(file ?? own('summaries.jsonl'), SummaryRow))
  for (const row of rows) console.log(JSON.stringify(row))
  if (figures['noChat'] !== 0) fail(`${figures['noChat']} rows name a chat that is not there.`)
  printFigures('summaries', figures)
  const isWrong = figures['goodRefused'] !== 0 || figures['junkKept'] !== 0
  process.exitCode = file === undefined && isWrong ? 1 : 0
}

function readArguments(): { model?: string; chats?: string; file?: string } {
  try {
    const { values, positionals } = parseArgs({
      options: { model: { type: 'string' }, chats: { type: 'string' } },
      allowPositionals: true,
    })
    const [file, ...more] = positionals
    if (more.length > 0 || (values.model !== undefined && file !== undefined)) return fail(USAGE)
    const model = values.model === undefined ? undefined : resolve(values.model)
    if (model !== undefined && !existsSync(model)) return fail(`There is no model at ${model}.`)
    return {
      ...(values.chats !== undefined && { chats: values.chats }),
      ...(file !== undefined && { file }),
      ...(model !== undefined && { model }),
    }
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`)
  }
}

await main()
