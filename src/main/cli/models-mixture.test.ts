import { test } from '../../../testing/cli.ts'
import { startOpenAiServer } from '../../../testing/openai-server.ts'

test('a mixture is made of models by their names, changed, refused in words and removed', async ({
  talaria,
  expect,
}) => {
  const home = talaria.folder()
  const { client } = await talaria.open(home)
  const server = await startOpenAiServer({ models: [{ id: 'qwen3' }] })
  for (const name of ['small', 'other', 'big'])
    await client['model.addServer']({ name, baseUrl: server.baseUrl, model: 'qwen3' })
  const run = (...args: string[]) => talaria.run(['models', ...args, '--home', home])
  const mixture = (...args: string[]) => run('mixture', 'team', ...args)

  const made = await mixture('--reference', 'small', 'other', '--aggregator', 'big')
  expect(made.code).toBe(0)
  expect(made.stdout).toContain('asks small, other; big answers · at least 3 requests for each message')
  expect((await mixture('--reference', 'small', '--aggregator', 'big')).code).toBe(0)
  const { models } = await client['model.list']({})
  expect(models.flatMap(({ mixture: given }) => given?.references ?? [])).toEqual(['server:small'])

  expect(await mixture('--reference', 'smal', '--aggregator', 'big')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('smal'),
  })
  const twice = await mixture('--reference', 'small', 'small', '--aggregator', 'big')
  expect(twice.code).not.toBe(0)
  expect(twice.stderr).toContain('named twice')
  expect((await mixture('--reference', 'small')).code).toBe(2)
  expect((await run('remove', 'team')).code).toBe(0)
  expect((await run('list')).stdout).not.toContain('team')
  await server.close()
})
