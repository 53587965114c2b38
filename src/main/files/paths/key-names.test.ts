import { expect, test } from 'vitest'
import { mayHoldKeys } from './credential-paths.ts'

test.for(
  [
    ['.msmtprc', '.muttrc', '.mailrc', '.fetchmailrc', 'getmail/getmailrc', '.wgetrc', '.curlrc', '.lftprc'],
    ['.authinfo', '.authinfo.gpg', '.auth', '.auth.json', '.npm-auth', '.htauth', '.smbcredentials'],
    ['pass', 'passwd', 'password', 'Passwords.csv', 'pass.txt', 'db.password', 'db_password', 'admin-pass'],
    ['.env', '.env.local', '.env-prod', '.env_local', '.env1', '.envrc', 'infra/prod.tfstate', '.vault_pass'],
  ].flat(),
)('%s may hold keys', name => expect(mayHoldKeys(`/desk/${name}`)).toBe(true))

test.for(
  [
    [
      '.env~',
      '.env.bak',
      '.env.2024-01-01',
      '.envrc.old',
      '.netrc.bak',
      '.netrc~',
      '.npmrc.swp',
      '.pypirc.orig',
    ],
    [
      '.git-credentials.20240101',
      '.my.cnf.save',
      'terraform.tfstate.backup',
      'terraform.tfstate.1700000000.backup',
    ],
    ['password.txt~', 'passwd-', 'passwd.old', '.password.txt.swp', 'id_rsa.2024', '#.env#', '.#.env'],
  ].flat(),
)('%s is a copy of what may hold keys', name => expect(mayHoldKeys(`/desk/${name}`)).toBe(true))

test.for(
  [
    ['.env.example', '.env.sample', '.env.template', '.env.dist', '.env-example', 'env', '.environment'],
    [
      'auth.ts',
      'password_reset.py',
      'test_auth.go',
      'docs/password.md',
      'passwords.html',
      'reset_password.sql',
    ],
    [
      '.author',
      '.authors',
      '.babelrc',
      '.eslintrc',
      '.bashrc',
      '.nvmrc',
      'compass',
      'passport.json',
      'bypass.txt',
    ],
    [
      'first-pass.json',
      'two-pass.txt',
      'README.md~',
      'a.bak',
      'auth.json',
      '.gitignore',
      `${'a'.repeat(300)}.env~`,
    ],
  ].flat(),
)('%s is an ordinary file', name => expect(mayHoldKeys(`/desk/${name}`)).toBe(false))
