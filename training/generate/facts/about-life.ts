import type { Written } from './relation.ts'

/** What happens to people, what they plan, and things said freely, of which no form is foreseen. */
export const aboutLife: Readonly<Record<string, Written>> = {
  child: {
    value: '{number}',
    said: `
      i have {number} grandchildren
      i have {number} cousins
      i own {number} books
      i have {number} plants
      ---
      i collect stamps and have {number}`,
    topic: `
      how many things i have
      the number i told you
      ---
      the count i gave`,
    ask: `
      how many do i have?
      how many did i say i have?
      ---
      what count did i give?`,
  },
  plan: {
    key: '{task}',
    value: '{task}',
    said: `
      i have to {task} on {weekday}
      i need to {task} on {weekday}
      i want to {task} on {weekday}
      i must {task} before {weekday}
      i plan to {task} this {month}
      i will {task} on {weekday}
      ---
      i am going to {task} on {weekday}
      i intend to {task} on {weekday}`,
    topic: `
      that i have to {task}
      my plan to {task}
      ---
      the plan to {task}`,
    ask: `
      when do i have to {task}?
      when do i (want|need|plan) to {task}?
      (which|what) day do i {task}?
      do you (know|remember) when i have to {task}?
      ---
      on what day is it time to {task}?
      until when should i {task}?`,
  },
  debt: {
    key: '{person}',
    value: '{number}',
    said: `
      i owe {person} {number} euros
      i lent {person} {number} euros
      i borrowed {number} euros from {person}
      ---
      i still owe {person} {number} euros`,
    topic: `
      the money for {person}
      what i owe {person}
      ---
      my debt with {person}`,
    ask: `
      how much do i owe {person}?
      how much money did i (lend|borrow from) {person}?
      do you (know|remember) how much i owe {person}?
      ---
      what sum is between {person} and me?`,
  },
  parking: {
    value: '{place}',
    said: `
      i parked (near|behind|next to) the {place}
      i parked my car near the {place}
      my car is parked behind the {place}
      ---
      i left my car beside the {place}`,
    topic: `
      where i parked
      my parking place
      ---
      the spot of my car`,
    ask: `
      where did i park?
      where is my car parked?
      (where is|where's) the car?
      do you (know|remember) where i parked?
      ---
      where did i leave my car?`,
  },
  marathon: {
    value: '{city}',
    said: `
      i'm training for the marathon in {city}
      i run the marathon in {city} in {month}
      i'm preparing for the triathlon in {city}
      ---
      i take part in the race in {city}`,
    topic: `
      what i'm training for
      my race
      ---
      where i take part`,
    ask: `
      what am i training for?
      what am i preparing for?
      where is my (race|marathon)?
      ---
      in what city do i race?`,
  },
  habit: {
    value: '{hobby}',
    said: `
      i do {hobby} every morning
      i started {hobby} last year
      i quit {hobby} in {month}
      i learned {hobby} as a child
      ---
      i took up {hobby} in {month}`,
    topic: `
      what i do every morning
      what i started
      ---
      what i took up`,
    ask: `
      what do i do every morning?
      what did i start last year?
      what did i (quit|learn)?
      ---
      what did i take up?`,
  },
  gift: {
    key: '{relative}',
    value: '{belonging}',
    said: `
      my {relative} wants a {belonging} for (christmas|the birthday|easter)
      my {relative} needs a new {belonging}
      my {relative} would like a {belonging}
      ---
      my {relative} is wishing for a {belonging}`,
    topic: `
      what my {relative} wants
      the present for my {relative}
      ---
      the wish of my {relative}`,
    ask: `
      what does my {relative} (want|need|want for christmas|wish for)?
      what should i give my {relative}?
      which present does my {relative} want?
      do you (know|remember) what my {relative} wants?
      ---
      what present would please my {relative}?`,
  },
  relativeTaste: {
    key: '{relative}',
    value: '{food}',
    said: `
      my {relative} (likes|loves|hates) {food}
      my {relative} is allergic to {food}
      my {relative} can't eat {food}
      my {relative} doesn't like {food}
      ---
      my {relative} must avoid {food}`,
    topic: `
      what my {relative} eats
      my {relative}'s taste
      ---
      the food of my {relative}`,
    ask: `
      what does my {relative} (like|love|hate|not eat)?
      what can't my {relative} eat?
      what is my {relative} allergic to?
      do you (know|remember) what my {relative} (likes|can't eat)?
      ---
      what food concerns my {relative}?`,
  },
  relativeJob: {
    key: '{relative}',
    value: '{job}',
    said: `
      my {relative} is a {job}
      my {relative} works as a {job}
      ---
      my {relative} earns money as a {job}`,
    topic: `
      my {relative}'s job
      what my {relative} does
      ---
      the profession of my {relative}`,
    ask: `
      (what is|what's) my {relative}'s job?
      what does my {relative} do?
      what does my {relative} do for a living?
      do you (know|remember) what my {relative} does?
      ---
      how does my {relative} earn money?`,
  },
  petAge: {
    key: '{pet}',
    value: '{food}',
    said: `
      my {pet} only eats {food}
      my {pet} loves {food}
      my {pet} must not eat {food}
      ---
      my {pet} is mad about {food}`,
    topic: `
      what my {pet} eats
      the food of my {pet}
      ---
      the taste of my {pet}`,
    ask: `
      what does my {pet} (eat|love|like)?
      what can my {pet} (eat|not eat)?
      do you (know|remember) what my {pet} eats?
      ---
      what food is about my {pet}?`,
  },
  free: {
    target: 'memory',
    key: '{phrase}',
    value: '{phrase}',
    said: `
      the {phrase} is {adjective}
      the {phrase} needs {food}
      the {phrase} was made by {person}
      the {phrase} costs {number} euros
      the {phrase} comes from {city}
      the {phrase} belongs into the {place}
      the {phrase} must not be {adjective}
      there is {food} for the {phrase}
      {person} has the {phrase}
      {person} wants the {phrase} back by {weekday}
      we decided to keep the {phrase}
      nobody may touch the {phrase}
      ---
      the {phrase} works only with {food}
      {person} left the {phrase} in {city}
      we agreed on the {phrase} in {month}`,
    topic: `
      the {phrase}
      what i said about the {phrase}
      ---
      that thing about the {phrase}`,
    ask: `
      what (about|is with|is it with) the {phrase}?
      what do you know about the {phrase}?
      what did i (say|tell you) about the {phrase}?
      (tell me|remind me) about the {phrase}
      do you (know|remember) anything about the {phrase}?
      ---
      the {phrase}, what was it?
      what have you got on the {phrase}?`,
  },
  freeSelf: {
    key: '{phrase}',
    value: '{phrase}',
    said: `
      i bought a {phrase} in {city}
      i lost my {phrase} on {weekday}
      i sold the {phrase} to {person}
      i need a {phrase} for the {noun}
      i use the {phrase} every {weekday}
      i want a {colour} {phrase}
      my {phrase} is {colour}
      my {phrase} is from {city}
      my {phrase} broke in {month}
      i don't want the {phrase}
      i can't use the {phrase}
      i got the {phrase} from {person}
      ---
      i found my {phrase} in {city}
      i gave the {phrase} to {person}
      my {phrase} belongs to {person}`,
    topic: `
      my {phrase}
      what i said about my {phrase}
      ---
      that thing about my {phrase}`,
    ask: `
      what (about|is with|is it with) my {phrase}?
      what do you know about (my|the) {phrase}?
      what did i (say|tell you) about (my|the) {phrase}?
      do you (know|remember) anything about my {phrase}?
      ---
      my {phrase}, what was it?
      what have you got on my {phrase}?`,
  },
}
