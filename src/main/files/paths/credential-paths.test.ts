import { expect, test } from 'vitest'
import { isCredential, isEnvironmentFile } from './credential-paths.ts'

test.for([
  '/home/a/.ssh/id_ed25519',
  '/home/a/.ssh/config',
  '/desk/deploy.pem',
  'C:\\Users\\a\\.aws\\credentials',
  '/home/a/.config/gh/hosts.yml',
  '/home/a/.npmrc',
  '/home/a/.netrc',
  '/home/a/.kube/config',
  '/home/a/.docker/config.json',
  '/home/a/.gnupg/pubring.kbx',
  '/home/a/.config/google-chrome/Default/Cookies',
  '/Users/a/Library/Keychains/login.keychain-db',
  '/HOME/A/.SSH/ID_RSA',
  '/etc/shadow',
  '/home/a/.git-credentials',
])('%s is a credential', path => expect(isCredential(path)).toBe(true))

test.for([
  '/desk/id_rsa.pub',
  '/desk/src/keyboard.ts',
  '/desk/token.ts',
  '/desk/docs/ssh.md',
  '/desk/package.json',
  '/desk/.gitignore',
  '/desk/config.json',
  '/etc/hosts',
])('%s is an ordinary file', path => expect(isCredential(path)).toBe(false))

test('a project’s environment files are recognised by name, and examples of them are not credentials', () => {
  const names = ['.env', 'a/.env.local', '.envrc', '.env.example', '.env.sample', 'env', '.environment']
  expect(names.filter(isEnvironmentFile)).toEqual(['.env', 'a/.env.local', '.envrc'])
})
