// React's development build tells the developer tools of the browser about every render of every component, which takes a part of a
// page's time; nobody looks here. Its warnings remain. It asks for these two as it is loaded, so this comes first.
Object.assign(console, { createTask: undefined, timeStamp: undefined })
