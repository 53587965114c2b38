import type { Written } from './relation.ts'

/** Names, family, animals and days. */
export const aboutPeople: Readonly<Record<string, Written>> = {
  name: {
    value: '{person}',
    said: `
      my name is {person}
      my name's {person}
      call me {person}
      i'm called {person}
      ---
      my first name is {person}
      i am called {person}`,
    topic: `
      my name
      my own name
      what i'm called
      ---
      what you call me
      who i am`,
    ask: `
      (what is|what's) my name?
      who am i?
      what am i called?
      what do you call me?
      (do|can) you (know|remember) my name?
      do you know who i am?
      tell me my name
      how do you call me?
      ---
      do you remember who you are talking to?
      say my name
      what name do i go by?`,
  },
  pet: {
    key: '{pet}',
    value: '{petname}',
    said: `
      my {pet} is called {petname}
      my {pet}'s name is {petname}
      my {pet} is named {petname}
      i have a {pet} called {petname}
      i have a {pet} named {petname}
      i've got a {pet} called {petname}
      ---
      my {pet} goes by {petname}
      my {pet} has the name {petname}`,
    topic: `
      my {pet}'s name
      the name of my {pet}
      what my {pet} is called
      my {pet}
      ---
      how my {pet} is called
      what name my {pet} has`,
    ask: `
      (what is|what's) my {pet} called?
      (what is|what's) my {pet}'s name?
      (what is|what's) the name of my {pet}?
      how is my {pet} called?
      do you (know|remember) my {pet}'s name?
      what did i (call|name) my {pet}?
      tell me (my {pet}'s name|what my {pet} is called)
      which name does my {pet} have?
      ---
      my {pet} is called what?
      what do i call my {pet}?
      any idea how my {pet} is named?`,
  },
  relative: {
    key: '{relative}',
    value: '{person}',
    said: `
      my {relative} is called {person}
      my {relative}'s name is {person}
      my {relative} is {person}
      my {relative} is named {person}
      ---
      my {relative} goes by {person}
      my {relative} has the name {person}`,
    topic: `
      my {relative}'s name
      the name of my {relative}
      what my {relative} is called
      who my {relative} is
      ---
      how my {relative} is called
      what name my {relative} has`,
    ask: `
      (what is|what's) my {relative} called?
      (what is|what's) my {relative}'s name?
      (what is|what's) the name of my {relative}?
      (who is|who's) my {relative}?
      do you (know|remember) my {relative}'s name?
      do you (know|remember) who my {relative} is?
      tell me (my {relative}'s name|who my {relative} is)
      how is my {relative} called?
      ---
      my {relative} is called what?
      what do people call my {relative}?
      could you name my {relative}?`,
  },
  relativeCity: {
    key: '{relative}',
    value: '{city}',
    said: `
      my {relative} lives in {city}
      my {relative} is living in {city}
      my {relative} moved to {city}
      ---
      my {relative} is based in {city}
      my {relative} has a flat in {city}`,
    topic: `
      where my {relative} lives
      my {relative}'s city
      the city of my {relative}
      ---
      the place my {relative} lives in
      my {relative}'s home town`,
    ask: `
      where does my {relative} live?
      (which|what) city does my {relative} live in?
      in which city is my {relative}?
      do you (know|remember) where my {relative} lives?
      where did my {relative} move to?
      tell me where my {relative} lives
      (where is|where's) my {relative} living?
      ---
      in what town do i find my {relative}?
      my {relative} lives where?`,
  },
  relativeAge: {
    key: '{relative}',
    value: '{number}',
    said: `
      my {relative} is {number} years old
      my {relative} is {number}
      my {relative} turned {number}
      ---
      my {relative} is aged {number}
      my {relative} just turned {number}`,
    topic: `
      my {relative}'s age
      the age of my {relative}
      how old my {relative} is
      ---
      how many years my {relative} has`,
    ask: `
      how old is my {relative}?
      (what is|what's) my {relative}'s age?
      (what is|what's) the age of my {relative}?
      do you (know|remember) how old my {relative} is?
      tell me how old my {relative} is
      ---
      what age is my {relative}?
      my {relative} is how old?`,
  },
  birthday: {
    value: '{date}',
    said: `
      my birthday is on {date}
      my birthday is {date}
      my birthday's on {date}
      i was born on {date}
      ---
      my birthday falls on {date}
      i have my birthday on {date}`,
    topic: `
      my birthday
      when my birthday is
      the date of my birthday
      ---
      the day i was born
      when i turn a year older`,
    ask: `
      when is my birthday?
      when's my birthday?
      (what is|what's) my birthday?
      do you (know|remember) (my birthday|when my birthday is)?
      on which (day|date) is my birthday?
      when was i born?
      tell me (when my birthday is|my birthday)
      ---
      what date is my birthday?
      on what day do i turn a year older?`,
  },
  relativeBirthday: {
    key: '{relative}',
    value: '{date}',
    said: `
      my {relative}'s birthday is on {date}
      my {relative}'s birthday is {date}
      my {relative} has birthday on {date}
      ---
      my {relative} was born on {date}
      my {relative}'s birthday falls on {date}`,
    topic: `
      my {relative}'s birthday
      when my {relative} has birthday
      the birthday of my {relative}
      ---
      the day my {relative} was born`,
    ask: `
      when is my {relative}'s birthday?
      when does my {relative} have birthday?
      (what is|what's) my {relative}'s birthday?
      do you (know|remember) my {relative}'s birthday?
      on which day is my {relative}'s birthday?
      tell me when my {relative}'s birthday is
      ---
      what date is my {relative}'s birthday?
      on what day do we celebrate my {relative}?`,
  },
  appointment: {
    key: '{appointment}',
    value: '{weekday}',
    said: `
      my {appointment} is on {weekday}
      my {appointment} is on {weekday} at {hour}
      my {appointment} is next {weekday}
      my {appointment} is this {weekday}
      i have my {appointment} on {weekday}
      ---
      my {appointment} takes place on {weekday}
      my {appointment} was moved to {weekday}`,
    topic: `
      my {appointment}
      when my {appointment} is
      the day of my {appointment}
      ---
      the date of my {appointment}
      on what day my {appointment} is`,
    ask: `
      when is my {appointment}?
      when's my {appointment}?
      (which|what) day is my {appointment}?
      on (which|what) day is my {appointment}?
      do you (know|remember) when my {appointment} is?
      when do i have my {appointment}?
      tell me when my {appointment} is
      ---
      what day was my {appointment} again?
      my {appointment}, when is that?`,
  },
  flight: {
    key: '{city}',
    value: '{weekday}',
    said: `
      my flight to {city} is on {weekday}
      my flight to {city} leaves on {weekday}
      my train to {city} leaves on {weekday}
      my trip to {city} starts on {weekday}
      i fly to {city} on {weekday}
      ---
      my bus to {city} leaves on {weekday}
      i travel to {city} on {weekday}`,
    topic: `
      my trip to {city}
      when i go to {city}
      my journey to {city}
      ---
      when i leave for {city}`,
    ask: `
      when do i go to {city}?
      when am i going to {city}?
      when is my trip to {city}?
      (which|what) day do i go to {city}?
      do you (know|remember) when i go to {city}?
      tell me when i leave for {city}
      ---
      on what day do i leave for {city}?
      when am i off to {city}?`,
  },
}
