import type { ScanFinding } from '../../../shared/contract/learned/skills.ts'
import type { Line } from './read/read-units.ts'

type Found = Pick<ScanFinding, 'line' | 'rule' | 'category' | 'severity' | 'reason'>

const POPULAR =
  'requests numpy pandas scipy matplotlib django flask fastapi tensorflow torch pytorch keras scikit-learn beautifulsoup4 beautifulsoup selenium pillow opencv-python sqlalchemy cryptography paramiko colorama urllib3 setuptools certifi python-dateutil pyyaml openai anthropic langchain transformers boto3 botocore psycopg2 pymongo jinja2 pytest celery pydantic uvicorn aiohttp httpx tqdm discord.py typescript lodash express react axios moment chalk commander webpack babel eslint prettier electron puppeteer playwright mongoose nodemon dotenv cross-env next.js vue-router jquery socket.io node-fetch event-stream ethers crypto-js bcrypt jsonwebtoken sequelize tailwindcss vite rollup jest mocha cypress rxjs redux zustand uuid validator underscore debug winston nodemailer passport mysql2 tokio serde rand clap reqwest openssl websockets requests-oauthlib google-api-python-client'.split(
    ' ',
  )
/** Package names that differ from a popular name by one letter but are unrelated. */
const OWN =
  'preact request torchy flake8 pytz jinja uvloop vitest debugpy vue redis mysql underscore.string lodash-es axis crypto vite-node chai pillow-simd scikit expresso nextjs next tailwind openai-agents jest-cli seaborn'.split(
    ' ',
  )
const KNOWN = new Set([...POPULAR, ...OWN])
/** Common words in package names. A name that misspells one of them is probably typosquatting. */
const ORDINARY =
  'helper helpers server client plugin plugins config utils tools docs filesystem github google browser memory postgres fetch python typescript javascript anthropic claude openai slack notion playwright puppeteer database assistant agent agents context sequential thinking weather search content contents'.split(
    ' ',
  )
const ORDINARY_SET = new Set(ORDINARY)
const MENTIONS = /(?:install|npx|uvx|pnpm|npm|yarn|bun|uv|args|command) ?/
const SKIPS = new Set([
  '-r',
  '--requirement',
  '-e',
  '--editable',
  '-c',
  '--index-url',
  '--extra-index-url',
  '-f',
])
const TOLD = /\binstall (?:the |a )?(?:package |library |module )?[`"']([\w.@/-]{4,60})[`"']/g
const INSTALL =
  /\b(pip3?|uv|pipx|npm|pnpm|yarn|bun|npx|uvx|gem|cargo)(?: pip| tool)? (?:install|i|add|exec|dlx|-y|--yes)? ?([^\n|;&`)]{1,300})/g

/** Packages whose names are one edit away from well-known ones. */
export function misspeltPackages(lines: readonly Line[]): Found[] {
  const found: Found[] = []
  for (const line of lines) {
    if (!MENTIONS.test(line.text)) continue
    const names = namesIn(line.text)
    const near = names.map(name => ({ name, like: likeWhat(name) })).find(each => each.like !== null)
    if (near)
      found.push({
        line: line.number,
        rule: 'misspelt-package',
        category: 'supply-chain',
        severity: 'critical',
        reason: `It installs “${near.name}”, which looks like a misspelling of “${near.like}” made to be mistaken for it.`,
      })
  }
  return found
}

function namesIn(text: string): string[] {
  const names: string[] = []
  for (const [, tool, rest] of text.slice(0, 2_000).matchAll(INSTALL)) {
    const isInstall = /\b(?:install|i|add|exec|dlx|-y|--yes) /.test(text) || tool === 'npx' || tool === 'uvx'
    if (!isInstall) continue
    const words = rest!.split(' ').slice(0, 12)
    const given = words.filter((_, n) => !SKIPS.has(words[n - 1] ?? ''))
    // Words after the program are its arguments, not packages.
    const isRun = tool === 'npx' || tool === 'uvx'
    names.push(...(isRun ? given.filter(word => !word.startsWith('-')).slice(0, 1) : given))
  }
  if (/["']?(?:command|args)["']? ?:/.test(text) && /\b(?:npx|uvx)\b/.test(text))
    names.push(
      ...[...text.slice(0, 1_000).matchAll(/["'](@?[\w./-]{3,60})(?:@[\w.]{1,20})?["']/g)].map(
        ([, name]) => name!,
      ),
    )
  if (/\b(?:pip3?|npm|yarn|pnpm|cargo|gem|uv)\b/.test(text))
    names.push(...[...text.slice(0, 2_000).matchAll(TOLD)].map(([, name]) => name!))
  return names
    .map(name => name.replace(/^["'`]|["'`,]$/g, '').replace(/(?<=.)(?:@|==|>=|<=|~=|>|<|\[).*$/, ''))
    .filter(name => /^@?[a-z][a-z0-9._/-]{3,60}$/.test(name))
}

function likeWhat(name: string): string | null {
  if (name.startsWith('@')) {
    const parts = name.slice(1).split(/[/_-]/)
    for (const part of parts)
      if (part.length > 3 && !ORDINARY_SET.has(part)) {
        const like = ORDINARY.find(
          word => word.length > 5 && isSlip(part, word) && word !== `${part}s` && part !== `${word}s`,
        )
        if (like) return like
      }
    return null
  }
  if (name.length < 5 || KNOWN.has(name) || name.includes('/')) return null
  return (
    POPULAR.find(popular => popular.length > 4 && isSlip(name, popular) && `${name}s` !== popular) ?? null
  )
}

/** Whether two names differ by one inserted, deleted, replaced or swapped letter. */
function isSlip(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const [restA, restB] = [a.slice(at), b.slice(at)]
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
}
