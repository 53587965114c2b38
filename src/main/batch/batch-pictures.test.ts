import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runToStop, someRows, trajectoriesIn } from '../../../testing/batch/a-batch.ts'
import { aBench } from '../../../testing/batch/a-bench.ts'
import type { ServedReply, ServedRequest } from '../../../testing/servers/openai-server.ts'
import { aPicture, CAMERA, decodePicture, withExif } from '../../../testing/pictures/sample-pictures.ts'

const aFlag = () => aPicture(60, 40, () => [255, 0, 0]).jpeg(90)
const REFUSED: ServedReply = { status: 500, body: { error: { message: 'image input is not supported' } } }

/** The pictures of a request, as they were sent. */
const picturesIn = ({ body }: ServedRequest): Buffer[] =>
  (body as { messages: { content: unknown }[] }).messages.flatMap(({ content }) =>
    Array.isArray(content)
      ? (content as { image_url?: { url: string } }[]).flatMap(({ image_url: image }) =>
          image ? [Buffer.from(image.url.slice(image.url.indexOf(',') + 1), 'base64')] : [],
        )
      : [],
  )

describe('a row with a picture', () => {
  test('is put to a model with it, and the picture stays nowhere in the home', async () => {
    await using bench = await aBench()
    using rows = someRows([{ prompt: 'Which colour?', image: 'flag.jpg' }, { prompt: 'Hello' }])
    writeFileSync(join(rows.folder, 'flag.jpg'), withExif(await aFlag(), 1))
    const given = { ...rows.paths, modelId: bench.modelId, tools: false, workers: 1, attempts: 2 }
    const { leastTokens } = await bench.client['batch.look'](given)
    expect(await runToStop(bench.client, given)).toMatchObject({ state: 'ended', states: { done: 4 } })
    const sent = bench.server.chats().map(picturesIn)
    // A row without a picture may be ready before the row ahead of it.
    expect(sent.map(pictures => pictures.length).toSorted((a, b) => a - b)).toEqual([0, 0, 1, 1])
    const [picture] = sent.flat()
    expect(picture!.includes(CAMERA)).toBe(false)
    expect(await decodePicture(picture!)).toMatchObject({ width: 60, height: 40 })
    const [first] = trajectoriesIn(rows.out)
    expect(first).toMatchObject({ image: 'flag.jpg', state: 'done' })
    expect(first?.conversations[1]?.value).toBe('Which colour?\n\n[Picture: flag.jpg, 60 × 40 pixels]')
    const kept = join(bench.home, 'attachments')
    expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([])
    rows.write([{ prompt: 'Which colour?' }, { prompt: 'Hello' }])
    const plain = await bench.client['batch.look']({ ...given, out: join(rows.folder, 'other') })
    expect(leastTokens).toBeGreaterThan(plain.leastTokens)
  })

  test('fails where the model turns out to be blind, and is a bad line from then on', async () => {
    await using bench = await aBench()
    bench.server.reply(request => (picturesIn(request).length > 0 ? REFUSED : { text: 'Yes.' }))
    using rows = someRows([{ prompt: 'Hello' }, { prompt: 'Which colour?', image: 'flag.jpg' }])
    writeFileSync(join(rows.folder, 'flag.jpg'), await aFlag())
    const given = { ...rows.paths, modelId: bench.modelId, tools: false }
    const end = await runToStop(bench.client, given)
    expect(end).toMatchObject({ state: 'ended', states: { done: 1, failed: 1 } })
    expect(end.recent.find(({ state }) => state === 'failed')?.note).toContain('needs a model that sees')
    expect(await bench.client['batch.look']({ ...given, out: join(rows.folder, 'other') })).toMatchObject({
      rows: 1,
      badLines: [{ line: 2, why: expect.stringContaining('cannot see pictures') }],
    })
  })

  test('names only a picture beside its file', async () => {
    await using bench = await aBench()
    using rows = someRows([])
    const flag = await aFlag()
    writeFileSync(join(rows.folder, 'flag.jpg'), flag)
    writeFileSync(join(rows.folder, 'cut.jpg'), flag.subarray(0, flag.length / 2))
    writeFileSync(join(rows.folder, 'notes.jpg'), 'My notes')
    symlinkSync(tmpdir(), join(rows.folder, 'leads-out'))
    const named = ['flag.jpg', 'cut.jpg', 'notes.jpg', 'gone.jpg', '.', process.execPath, 'leads-out']
    rows.write(named.map(image => ({ prompt: 'Which colour?', image })))
    const given = { ...rows.paths, modelId: bench.modelId, tools: false }
    const { badLines } = await bench.client['batch.look'](given)
    expect(badLines.map(({ line, why }) => `${line} ${why}`)).toEqual([
      '3 its “image” notes.jpg is not a picture that can be read',
      '4 its “image” gone.jpg cannot be found',
      '5 its “image” . is not a file',
      `6 its “image” ${process.execPath} is not beside the file`,
      '7 its “image” leads-out is not a file',
    ])
    // Only decoding shows that a picture is damaged.
    const end = await runToStop(bench.client, given)
    expect(end).toMatchObject({ states: { done: 1, failed: 1 } })
    expect(end.recent.find(({ state }) => state === 'failed')?.note).toContain('damaged')
  })
})

describe('the batches of a host', () => {
  test('are followed as a list, and one that was paused goes on in its place', async () => {
    await using bench = await aBench()
    const gate = Promise.withResolvers<void>()
    bench.server.reply(
      { text: 'One.' },
      { text: 'Two.', halts: [{ after: 0, until: gate.promise }] },
      { text: 'Two.' },
    )
    using rows = someRows([{ prompt: 'First' }, { prompt: 'Second' }])
    const over = new AbortController()
    const lists = bench.client['batch.watchList']({}, { signal: over.signal })
    const next = async (fits: (states: string[]) => boolean) => {
      for (;;) {
        const { value } = await lists.next()
        const batches = value!.batches
        if (fits(batches.map(({ state, ended }) => `${state} ${ended}`))) return batches
      }
    }
    expect(await next(() => true)).toEqual([])
    const given = { ...rows.paths, modelId: bench.modelId, tools: false, workers: 1 }
    const { id } = await bench.client['batch.start'](given)
    await next(([first]) => first === 'running 1')
    await expect(bench.client['batch.resume']({ id })).rejects.toMatchObject({ code: 'conflict' })
    await bench.client['batch.pause']({ id })
    await next(([first]) => first === 'paused 1')
    const { id: again } = await bench.client['batch.resume']({ id })
    await expect(bench.client['batch.resume']({ id })).rejects.toMatchObject({ code: 'not_found' })
    const [ended, ...others] = await next(([first]) => first === 'ended 2')
    expect(ended).toMatchObject({ id: again, states: { done: 2 }, unknown: 1 })
    expect(others).toEqual([])
    over.abort()
    gate.resolve()
    await expect(bench.client['batch.resume']({ id: again })).rejects.toMatchObject({ code: 'conflict' })
  })
})
