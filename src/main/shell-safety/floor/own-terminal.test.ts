import { describe, expect, test } from 'vitest'
import { ownFileRefusal, ownTerminalRefusal, windowsOwnTerminal } from './own-terminal.ts'
import { parseShell } from '../parse/parse-shell.ts'

const FOLDER = '/home/ada/notes'
const HOME = '/home/ada/.talaria'
const parse = (command: string) => parseShell(command, FOLDER, '/home/ada')
const isRefused = (command: string) => ownTerminalRefusal(parse(command)) !== undefined
const namesOwnFile = (command: string) => ownFileRefusal(parse(command), HOME) !== undefined

describe('our own terminal', () => {
  test.for([
    'talaria permissions add allow "npm test"',
    'talaria --home /elsewhere chats purge --all --yes',
    'talaria permissions list',
    'talaria projects set Thesis --approve all',
    'talaria address',
    '/usr/local/bin/talaria config set approvals.default full',
    'talaria network unlock',
    'talaria setup --model x',
    'talaria models default x',
    'talaria skills enable x',
    'talaria learning approve x',
    'talaria chat -q hi --approve all',
    'talaria chat --approve=all -q hi',
    'talaria $X',
    'npm run talaria -- permissions list',
    'npm run -s talaria -- config set a b',
    'npm --prefix /opt/talaria run talaria -- config set a b',
    'yarn talaria config set a b',
    'pnpm run talaria config set a b',
    'npx talaria permissions list',
    'npx --yes talaria@latest config set a b',
    'bunx talaria config set a b',
    'node out/main/cli.js permissions list',
    'node --no-warnings /opt/talaria/out/main/cli.js config set a b',
    'node src/main/cli/index.ts config set a b',
    'cd out/main && node cli.js config set a b',
    'node scripts/talaria.mjs config set a b',
    './out/main/cli.js config set a b',
    'ls; talaria config set a b',
    'talaria mcp add x -- node server.js',
    'talaria mcp call files write_file {}',
    'talaria mcp allow files read_file',
    'talaria --home /x mcp accept files --yes',
    'node out/main/cli.js mcp add x --yes --url http://127.0.0.1:1/',
    'sh -c "talaria config set a b"',
    'sudo talaria config set a b',
    'env TALARIA_HOME=/x talaria config set a b',
    'echo config set a b | xargs talaria',
    'find . -exec talaria config set a b ;',
    '$(which talaria) config set a b; talaria config get x',
  ])('never administers Talaria: %s', command => {
    expect(isRefused(command)).toBe(true)
  })

  test.for([
    'talaria --version',
    'talaria search ships',
    'talaria chat -q hi',
    'talaria chat -q hi --approve none',
    'talaria status',
    'npm run config',
    'npm config get registry',
    'node cli.ts',
    'node out/main/index.js config',
    'git config user.name x',
    'echo talaria config set',
    'ls talaria/config',
    'npm test -- permissions',
  ])('is not meant by: %s', command => {
    expect(isRefused(command)).toBe(false)
  })

  test('is found on Windows by its words', () => {
    expect(windowsOwnTerminal('talaria.cmd permissions list')).toBeDefined()
    expect(windowsOwnTerminal('npm run talaria -- config set a b')).toBeDefined()
    expect(windowsOwnTerminal('talaria search config')).toBeDefined()
    expect(windowsOwnTerminal('git config user.name x')).toBeUndefined()
  })
})

describe('the files of Talaria', () => {
  test.for([
    'cat ~/.talaria/config.yaml',
    'cat /home/ada/.talaria/permissions.json',
    'echo x > ~/.talaria/permissions.json',
    'cat ../.talaria/.env',
    'cat ~/.talaria/keys.json',
    'cat ~/.talaria/page-entry.json',
    'python3 -c "open(\'/home/ada/.talaria/page-entry.json\')"',
    'cp ~/.talaria/state.db /tmp',
    'cp ~/.talaria/state.db-wal /tmp',
    'sqlite3 ~/.talaria/state.db .dump',
    'cd ~/.talaria && cat config.yaml',
    'curl --unix-socket /home/ada/.talaria/host.sock http://x',
    'dd if=a of=/home/ada/.talaria/permissions.json',
    'python3 -c "open(\'/home/ada/.talaria/permissions.json\')"',
    'cat ~/.talaria/*',
    'cat ~/.talaria/perm*',
    'tar cf x ~/.talaria',
    'rm -r ~/.talaria',
    'H=~/.talaria; cat $H/config.yaml',
  ])('are never named by a command: %s', command => {
    expect(namesOwnFile(command)).toBe(true)
  })

  test.for([
    'cat config.yaml',
    'cat .env',
    'ls ~/.talaria',
    'cat ~/.talaria/skills/x/SKILL.md',
    'cat ~/.talaria/workspace/config.yaml',
    'cat ~/.talariax/config.yaml',
    'cat state.db',
  ])('are not meant by: %s', command => {
    expect(namesOwnFile(command)).toBe(false)
  })
})
