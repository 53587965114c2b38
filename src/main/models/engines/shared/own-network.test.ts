import { expect, test } from 'vitest'
import { isOnOwnNetwork } from './own-network.ts'

test.each([
  'localhost',
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.0.7',
  '169.254.1.1',
  '[::1]',
  '[fd00::1]',
  '[fe80::1]',
  'printer',
  'models.lan',
])('%s is on the user’s own network', hostname => {
  expect(isOnOwnNetwork(new URL(`http://${hostname}`).hostname)).toBe(true)
})

test.each([
  '10.example.com',
  '127.example.org',
  '192.168.example.com',
  '172.32.0.1',
  '[2001:db8::1]',
  '8.8.8.8',
])('%s is elsewhere', hostname => {
  expect(isOnOwnNetwork(new URL(`http://${hostname}`).hostname)).toBe(false)
})
