import { test } from '../../../../testing/terminal/cli.ts'

test('a mixture is made of models by their names, changed, refused in words and removed', async ({
  talaria,
  expect,
}) => {
  const server = (id: string) =>
    `    - { id: ${id}, name: ${id}, base_url: 'http://127.0.0.1:9/v1', model: qwen3 }\n`
  const home = talaria.folder({
    'config.yaml': `models:\n  servers:\n${['small', 'other', 'big'].map(server).join('')}`,
  })
  await talaria.open(home)
  const run = (...args: string[]) => talaria.run(['models', ...args, '--home', home])
  const mixture = (...args: string[]) => run('mixture', 'team', ...args)

  const made = await mixture('--reference', 'small', 'other', '--aggregator', 'big')
  expect(made.code).toBe(0)
  expect(made.stdout).toContain('asks small, other; big answers · at least 3 requests for each message')
  expect((await mixture('--reference', 'small', '--aggregator', 'big')).code).toBe(0)
  const { models } = JSON.parse((await run('list', '--json')).stdout) as {
    models: { mixture?: { references: string[] } }[]
  }
  expect(models.flatMap(({ mixture: given }) => given?.references ?? [])).toEqual(['server:small'])

  expect(await mixture('--reference', 'smal', '--aggregator', 'big')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('smal'),
  })
  const twice = await mixture('--reference', 'small', 'small', '--aggregator', 'big')
  expect(twice.code).not.toBe(0)
  expect(twice.stderr).toContain('listed twice')
  expect((await mixture('--reference', 'small')).code).toBe(2)
  expect((await run('remove', 'team')).code).toBe(0)
  expect((await run('list')).stdout).not.toContain('team')
})
