import fc from 'fast-check'

// The cases of properties are the same in every run of `npm test`, so its result depends only on the change
// under test. `npm run -s test:long -- properties --seed N` tries other cases, and twenty times as many.
fc.configureGlobal({ seed: 1 })
