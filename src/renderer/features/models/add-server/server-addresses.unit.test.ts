import { expect, test } from 'vitest'
import { readAddress } from './server-addresses.ts'

const placeOf = (typed: string) => {
  const read = readAddress(typed)
  return read.kind === 'known' ? read.place : read
}

test('“this computer” means loopback addresses only, not names that resemble them', () => {
  const here = [
    'http://localhost:1',
    'http://127.0.0.1/v1',
    'http://127.9.9.9',
    'HTTP://LOCALHOST',
    'http://[::1]:8080',
  ]
  expect(new Set(here.map(placeOf))).toEqual(new Set(['here']))
  expect(placeOf('http://localhost.example.org')).toBe('far')
  expect(placeOf('http://127.0.0.1.example.org')).toBe('far')
  expect(placeOf('http://127.0.0.1@example.org')).toEqual({ kind: 'wrong', why: 'secrets' })
})

test('private addresses are distinguished from the internet', () => {
  const near = [
    'http://192.168.1.5:11434',
    'http://10.0.0.2',
    'http://172.20.1.1',
    'http://workshop:8080',
    'http://pi.local',
    'http://[fd00::2]',
  ]
  expect(new Set(near.map(placeOf))).toEqual(new Set(['near']))
  const far = [
    'https://api.openai.com/v1',
    'http://172.50.1.1',
    'http://11.0.0.1',
    'http://10.example.org',
    'https://[2001:db8::1]',
  ]
  expect(new Set(far.map(placeOf))).toEqual(new Set(['far']))
})

test('invalid addresses are rejected, each with its reason', () => {
  expect(readAddress('  ')).toEqual({ kind: 'empty' })
  expect(readAddress('localhost:8080')).toEqual({ kind: 'wrong', why: 'scheme' })
  expect(readAddress('ftp://localhost')).toEqual({ kind: 'wrong', why: 'scheme' })
  expect(readAddress('http://')).toEqual({ kind: 'wrong', why: 'unreadable' })
  expect(readAddress('https://me:pw@llm.example.org')).toEqual({ kind: 'wrong', why: 'secrets' })
})

test('an address tells its host and whether the connection is encrypted', () => {
  expect(readAddress('http://llm.example.org:81/v1')).toMatchObject({
    host: 'llm.example.org:81',
    encrypted: false,
  })
  expect(readAddress('https://llm.example.org/v1')).toMatchObject({
    host: 'llm.example.org',
    origin: 'https://llm.example.org',
    encrypted: true,
  })
})
