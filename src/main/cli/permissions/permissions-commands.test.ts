import { test } from '../../../../testing/terminal/cli.ts'

test('rules are added, listed, tried and removed', async ({ talaria, expect }) => {
  const home = talaria.folder()
  const folder = talaria.folder()
  await talaria.open(home)
  const run = (...args: string[]) => talaria.run(['permissions', ...args, '--home', home], { cwd: folder })

  expect((await run('list')).stdout).toBe('No rules. “talaria permissions add” adds one.\n')
  const added = await run('add', 'allow', 'npm test', '--folder', folder, '--network', '--unconfined')
  expect([added.code, added.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^rule_\w+ {2}allow {2}“npm test” in .*\(with network; also where nothing confines commands; /,
    ),
  ])
  await run('add', 'never', 'git', 'push')
  const listed = (await run('list')).stdout.trimEnd().split('\n')
  expect(listed.map(line => line.split(/\s+/)[1])).toEqual(['never', 'allow'])

  const tried = await run('test', 'npm test', '--folder', folder)
  expect(tried.stdout).toMatch(/^It would run\. allowed by your rule “npm test” in /)
  const refused = await run('test', 'npm test && git push', '--folder', folder, '--mode', 'full', '--json')
  expect(JSON.parse(refused.stdout)).toMatchObject({
    decision: 'refuse',
    reason: 'A rule of the user forbids it: “git push”.',
  })

  const [id] = listed[0]!.split(' ')
  expect((await run('remove', id!)).stdout).toMatch(/^Removed: rule_/)
  expect((await run('list')).stdout.trimEnd().split('\n')).toHaveLength(1)
})

test('what cannot be a rule is bad usage, with the reason', async ({ talaria, expect }) => {
  const home = talaria.folder()
  await talaria.open(home)
  const run = (...args: string[]) => talaria.run(['permissions', ...args, '--home', home])
  expect(await run('add', 'allow', 'sh x')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'This cannot be allowed for good: “sh” runs other programs or code that it is given.\n',
  })
  expect((await run('add', 'sometimes', 'ls')).code).toBe(2)
  expect((await run('remove', 'gone')).code).toBe(2)
  const help = await talaria.run(['permissions', '--help'])
  expect(help.stdout).toContain('“never” takes precedence over “ask”, and “ask” over “allow”')
})
