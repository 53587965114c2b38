import { expect, test } from 'vitest'
import { isLicenceFile, licenceFor } from './licence.ts'

test.for([
  [
    'MIT',
    'MIT License\n\nCopyright (c) 2026 Somebody\n\nPermission is hereby granted, free of charge, to any person\nobtaining a copy of this software',
  ],
  ['MIT', '# The MIT License (MIT)'],
  [
    'Apache-2.0',
    '                                 Apache License\n                           Version 2.0, January 2004',
  ],
  ['GPL-3.0', 'GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\nThe GNU Lesser General Public'],
  ['LGPL-2.1', 'GNU LESSER GENERAL PUBLIC LICENSE\n Version 2.1, February 1999'],
  ['AGPL-3.0', 'GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3'],
  [
    'BSD-3-Clause',
    'Copyright X\nRedistribution and use in source and binary\nforms, with … Neither the name of',
  ],
  ['BSD-2-Clause', 'Redistribution and use in source and binary forms, with or without'],
  ['CC-BY-SA-4.0', 'Creative Commons Attribution-ShareAlike 4.0 International\n'],
  ['CC-BY-NC-4.0', 'Attribution … Creative Commons Attribution-NonCommercial 4.0 International'],
  ['CC0-1.0', 'CC0 1.0 Universal'],
  ['ISC', 'Permission to use, copy, modify, and/or distribute this software for any'],
  ['Copyright 2026 ACME. All rights reserved.', '\n# Copyright 2026 ACME. All rights reserved.\nNo.'],
  [null, ' \n'],
] as const)('%s is recognised', ([name, text]) => {
  expect(licenceFor('', text)).toBe(name)
})

test('a stated licence counts, unless it only points to a file', () => {
  expect(licenceFor('Apache-2.0', 'MIT License')).toBe('Apache-2.0')
  expect(licenceFor('Complete terms in LICENSE.txt', 'MIT License')).toBe('MIT')
  expect(licenceFor('Proprietary. LICENSE.txt has complete terms', undefined)).toBe(
    'Proprietary. LICENSE.txt has complete terms',
  )
  expect(licenceFor('MIT License', 'Apache License Version 2.0')).toBe('MIT License')
  expect(licenceFor('', 'MIT License')).toBe('MIT')
  expect(licenceFor('', undefined)).toBeNull()
})

test('licence files are known by their names', () => {
  for (const name of ['LICENSE', 'a/licence.md', 'COPYING', 'LICENSE-MIT', 'LICENSE.txt'])
    expect(isLicenceFile(name)).toBe(true)
  for (const name of ['licenses/list.md', 'my-license.md', 'SKILL.md'])
    expect(isLicenceFile(name)).toBe(false)
})
