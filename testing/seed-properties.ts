import fc from 'fast-check'

// The cases of properties are the same in every run of `npm test`, so what it says of a change depends on the change
// alone. Other cases, and twenty times as many, are tried by `npm run -s test:long -- properties --seed N`.
fc.configureGlobal({ seed: 1 })
