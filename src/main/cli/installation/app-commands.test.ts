import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { oneThread, test } from '../../../../testing/terminal/cli.ts'

test.concurrent('the doctor says what works, and that the demo model is a demo', async ({
  talaria,
  expect,
}) => {
  const { code, stdout } = await talaria.run(['doctor', '--json', '--home', talaria.folder(oneThread)])
  const { ok, checks } = JSON.parse(stdout) as {
    ok: boolean
    checks: { name: string; state: string; text: string }[]
  }
  expect([code, ok, checks.filter(each => each.state === 'bad')]).toEqual([0, true, []])
  expect(checks.map(each => each.name)).toEqual([
    'System',
    'Processor',
    'Memory',
    'Home folder',
    'Settings',
    'Chats',
    'Memory files',
    'Confinement',
    'Updates',
    'Models',
    'Local engine',
    'Window',
    'Git',
  ])
  expect(checks.find(each => each.name === 'Local engine')?.text).toContain('gets valid tool calls')
  expect(checks.find(each => each.name === 'Models')?.text).toContain('built-in demo model')
})

test.concurrent('a missing model file, wrong settings and a broken database are reported with a fix', async ({
  talaria,
  expect,
}) => {
  const home = talaria.folder({
    'config.yaml':
      'ui:\n  theme: purple\nmodels:\n  default: "file:/nowhere/a.gguf"\n  files: [/nowhere/a.gguf]\nengine:\n  threads: 1\n',
    'state.db': 'This is no database, and it never was one.',
  })
  const { code, stdout } = await talaria.run(['doctor', '--home', home])
  expect(code).toBe(1)
  expect(stdout).toMatch(/Settings +BAD +ui\.theme is "purple".*\(line 2\)\n +Correct /)
  expect(stdout).toMatch(
    /Chats +BAD .*state\.db cannot be read: it is not a database\.\n +Put a good copy from/,
  )
  expect(stdout).toMatch(
    /Models +note +There is no model file at \/nowhere\/a\.gguf\.\n +Check whether it was moved/,
  )
  expect(stdout).toContain('Something prevents Talaria from working.')
})

test.concurrent('without a terminal the setup follows its options and asks nothing', async ({
  talaria,
  expect,
}) => {
  const { home, model } = await talaria.servedHome()
  const { code, stderr } = await talaria.run(
    [
      'setup',
      '--home',
      home,
      '--server',
      model.baseUrl,
      '--server-model',
      'qwen3-8b',
      '--about',
      'Likes short answers.',
    ],
    { env: { TALARIA_SERVER_KEY: 'sk-1' } },
  )
  expect([code, stderr]).toEqual([0, expect.stringContaining('New chats use qwen3-8b.')])
  const status = JSON.parse((await talaria.run(['status', '--json', '--home', home])).stdout)
  expect(status).toMatchObject({
    running: false,
    setupDone: true,
    model: { demo: false },
    learning: { mode: 'ask' },
  })
  model.reply({ text: 'Hello.' })
  const chat = await talaria.run(['chat', '-q', 'Hello?', '--home', home])
  expect([chat.stdout.trim(), model.chats()[0]?.headers.authorization]).toEqual(['Hello.', 'Bearer sk-1'])
  expect(JSON.stringify(model.chats()[0]?.body)).toContain('Likes short answers.')
})

test.concurrent('on a terminal an unusable model is asked about again, and Enter continues', async ({
  talaria,
  expect,
}) => {
  const home = talaria.folder()
  const broken = join(talaria.folder(), 'broken.gguf')
  writeFileSync(broken, 'GGUF')
  const command = talaria.startOnTerminal(['setup', '--home', home])
  await command.shows('Enter to skip')
  command.types(`${broken}\n`)
  await command.shows('cut short')
  command.types('\n')
  await command.shows('Skipped')
  await command.shows('How should Talaria learn')
  command.types('save\n')
  await command.shows('about you')
  command.types('\n')
  await command.shows('Done.')
  expect((await command.ended).code).toBe(0)
})

test.concurrent('usage is listed by day and by model', async ({ talaria, expect }) => {
  const { home, model } = await talaria.servedHome()
  expect((await talaria.run(['usage', '--home', home])).stdout).toBe('No answers in the last 30 days.\n')
  model.reply({
    text: 'Hello.',
    usage: { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050, cost: 0.002 },
  })
  await talaria.run(['chat', '-q', 'Hello?', '--home', home])
  const { stdout } = await talaria.run(['usage', '--home', home])
  expect(stdout).toMatch(
    /^Last 30 days {3}1 answers · 1,000 tokens read \(0 % from the cache\) · 50 written · \d+ s/,
  )
  expect(stdout).toContain('  Test   1 answers')
  const { stdout: json } = await talaria.run(['usage', '--json', '--home', home])
  expect(JSON.parse(json)).toMatchObject({ total: { answers: 1, promptTokens: 1_000, outputTokens: 50 } })
})

test.concurrent('network prints the hosts, the last requests and whether the lock is on', async ({
  talaria,
  expect,
}) => {
  const { home, model } = await talaria.servedHome()
  model.reply({ text: 'Hello.' })
  await talaria.run(['chat', '-q', 'Hello?', '--home', home])
  const shown = async (...words: string[]) => (await talaria.run([...words, '--home', home])).stdout
  const { host } = new URL(model.baseUrl)
  const [lock, listed, gap, ...requests] = (await shown('network')).trim().split('\n')
  expect([lock, gap]).toEqual(['Offline lock: off', ''])
  expect(listed).toMatch(
    new RegExp(String.raw`^${host} \(this computer\)   ${requests.length} requests?, \d+ bytes out, \d+ in$`),
  )
  for (const request of requests)
    expect(request).toMatch(new RegExp(String.raw`^[-\d]{10} [:\d]{8}  done     ${host}  [a-z ]+: Test$`))
  await talaria.run(['network', 'lock', '--home', home])
  expect(JSON.parse(await shown('network', '--json'))).toMatchObject({ locked: true, hosts: [{ host }] })
  expect(await shown('status')).toMatch(/^Network   offline lock on$/m)
})

test.concurrent('update prints the commands to run, also as JSON', async ({ talaria, expect }) => {
  const { stdout } = await talaria.run(['update', '--json'])
  const { version, commands } = JSON.parse(stdout) as { version: string; commands: string[] }
  expect(commands.slice(-2)).toEqual(['npm install', 'npm run build'])
  expect((await talaria.run(['update'])).stdout).toContain(`This is Talaria ${version} in `)
})
