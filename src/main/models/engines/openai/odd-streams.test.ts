import { expect, test } from 'vitest'
import { aPrompt, never, setUpServer } from '../../../../../testing/models/openai.ts'
import { readAs, readStreams, setUpRawServer, TOOLS } from '../../../../../testing/models/raw-streams.ts'

const given = setUpServer()
const raw = setUpRawServer()

test.for(readStreams(new URL('odd-streams.jsonl', import.meta.url)))('$name', async each => {
  raw.answer = each
  const engine = given.anEngine({ baseUrl: raw.baseUrl })
  const found = await readAs(engine.complete(aPrompt({ tools: TOOLS }), never))
  const { says, ...others } = each.expect
  expect(found).toEqual({ ...others, says: expect.stringContaining(says) })
})
