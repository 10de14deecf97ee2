// Paths are filtered by a glob as the program's --path takes them, or by any
// part of them.

const isGlob = (text) => /[*?[{]/.test(text);

// pathMatcher returns a function that says whether a path matches; null for all.
function pathMatcher(text) {
  if (text === '') return null;
  if (!isGlob(text)) {
    const part = text.toLowerCase();
    return (path) => path.toLowerCase().includes(part);
  }
  const pattern = globPattern(text);
  return pattern ? (path) => pattern.test(path) : () => false;
}

// globPattern makes a regular expression of a glob; null where it isn't one.
function globPattern(glob) {
  try {
    return new RegExp(`^(?:${globSource(glob)})$`, 'su');
  } catch {
    return null; // brackets without an end, and the like
  }
}

const quoteChar = (char) => char.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');

// globSource translates a glob: ** between slashes stands for folders, * and ? stay
// within one, {a,b} is a choice, [a-z] a class, \ quotes.
function globSource(glob) {
  let source = '';
  let depth = 0;
  for (let i = 0; i < glob.length; i++) {
    const char = glob[i];
    if (isFolders(glob, i)) {
      const within = glob[i + 2] === '/';
      source += within ? '(?:[^/]*/)*' : '.*';
      i += within ? 2 : 1;
    } else if (glob.startsWith('/**', i) && i + 3 === glob.length) { source += '(?:/.*)?'; i += 2; }
    else if (char === '*') source += '[^/]*';
    else if (char === '?') source += '[^/]';
    else if (char === '{') { source += '(?:'; depth++; }
    else if (char === '}' && depth > 0) { source += ')'; depth--; }
    else if (char === ',' && depth > 0) source += '|';
    else if (char === '[') { const end = classEnd(glob, i); source += classSource(glob.slice(i + 1, end)); i = end; }
    else if (char === '\\' && i + 1 < glob.length) source += quoteChar(glob[++i]);
    else source += quoteChar(char);
  }
  return source + ')'.repeat(depth);
}

// isFolders says whether a ** begins here that is a segment of its own.
const isFolders = (glob, i) => glob.startsWith('**', i) && /^$|[/{,]/.test(glob.charAt(i - 1)) && /^$|[/},]/.test(glob.charAt(i + 2));

// classEnd returns where the class that begins at start ends.
function classEnd(glob, start) {
  let end = start + 1;
  if (glob[end] === '^' || glob[end] === '!') end++;
  while (end < glob.length && glob[end] !== ']') end += glob[end] === '\\' ? 2 : 1;
  return end;
}

function classSource(inside) {
  const not = inside[0] === '^' || inside[0] === '!';
  const chars = (not ? inside.slice(1) : inside).replace(/[\[\]^&]/g, '\\$&');
  return not ? `[^/${chars}]` : `[${chars}]`;
}
