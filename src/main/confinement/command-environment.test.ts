import { expect, test } from 'vitest'
import { cleanEnvironment } from './command-environment.ts'
import { NO_EDITOR } from './no-editor.ts'

test('keys, tokens and passwords do not reach a command', () => {
  const env = {
    OPENAI_API_KEY: 'x',
    OPENAI_APIKEY: 'x',
    GITHUB_TOKEN: 'x',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    PGPASSWORD: 'x',
    DB_PASS: 'x',
    MYSQL_PWD: 'x',
    NPM_CONFIG__AUTH: 'x',
    GOOGLE_APPLICATION_CREDENTIALS: 'x',
    OTHER: 'sk-proj-abc',
    DATABASE_URL: 'postgres://user:secret@host/db',
    ELECTRON_RUN_AS_NODE: '1',
    TALARIA_HOME: '/x',
  }
  expect(cleanEnvironment(env)).toEqual({
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    ...NO_EDITOR,
  })
})

test('what a command needs stays', () => {
  const env = {
    PATH: '/bin',
    HOME: '/home/a',
    LANG: 'de_CH.UTF-8',
    PWD: '/desk',
    SSH_AUTH_SOCK: '/run/agent',
    TOKENIZERS_PARALLELISM: 'false',
    KEYBOARD: 'ch',
    https_proxy: 'http://user:word@proxy:3128',
  }
  expect(cleanEnvironment(env)).toMatchObject(env)
})
