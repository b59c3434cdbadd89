/** A piece of a run text. Comments are none; they are listed beside the tokens. */
export type ShellToken = WordToken | { kind: 'operator'; text: string; at: number } | RedirectToken;

export interface WordToken {
  kind: 'word';
  /** As written, quotes included. */
  text: string;
  at: number;
  /** What is in `$(…)`, backticks and the like. */
  inner: ShellToken[][];
}

export interface RedirectToken {
  kind: 'redirect';
  /** Such as `>>`. */
  text: string;
  at: number;
  /** The stream in front of it; empty for the usual one. */
  fd: string;
  target: WordToken;
  /** The text that a `<<` hands over. */
  body: { text: string; at: number; lines?: 'replaced' | 'verbatim' } | null;
}

export interface Span {
  at: number;
  end: number;
}

/** Splits a run text of a POSIX shell, or of PowerShell, into tokens. Expressions are parts of words. Never throws. */
export function shellTokens(text: string, isPowerShell: boolean): { tokens: ShellToken[]; comments: Span[] } {
  const lexer = new Lexer(text, isPowerShell);
  const tokens = lexer.read(null);
  return { tokens, comments: lexer.comments };
}

const operators = /(?:\r?\n|;;|;|&&|\|\||\|&?|&|\(|\))/y;
const powerOperators = /(?:\r?\n|;|&&|\|\||\||&|\{|\}|\))/y;
const redirects = /(\d|&|\*)?(>>|>\||>&|>|<<<|<<-|<<|<&|<>|<(?!\())/y;
const plain = /[\w./:,%+-]+/y;
const plainInQuotes = /[^"'$`\\]+/y;
const blanks = /(?:[ \t]|[\\`]\r?\n)+/y;

class Lexer {
  readonly comments: Span[] = [];
  readonly #text: string;
  readonly #isPower: boolean;
  readonly #operators: RegExp;
  #at = 0;
  #depth = 0;
  #until: string | null = null;
  #heredocs: RedirectToken[] = [];

  constructor(text: string, isPower: boolean) {
    this.#text = text;
    this.#isPower = isPower;
    this.#operators = isPower ? powerOperators : operators;
  }

  /** Up to a closing character, which is left behind. */
  read(until: string | null): ShellToken[] {
    const tokens: ShellToken[] = [];
    const outer = this.#until;
    let open = 0;
    this.#until = until;
    this.#depth++;
    while (this.#at < this.#text.length && this.#depth < 40) {
      if (open === 0 && until !== null && this.#text.startsWith(until, this.#at)) break;
      if (this.#match(blanks) || this.#readComment()) continue;
      const token = this.#redirect() ?? this.#operator() ?? this.#word();
      if (token.kind === 'operator' && token.text === '(') open++;
      if (token.kind === 'operator' && token.text === ')') open--;
      if (token.kind === 'word' && token.text === '') this.#at++;
      else tokens.push(token);
    }
    this.#until = outer;
    this.#depth--;
    return tokens;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found;
  }

  #readComment(): boolean {
    const isBlock = this.#isPower && this.#text.startsWith('<#', this.#at);
    if (!isBlock && this.#text[this.#at] !== '#') return false;
    const end = isBlock ? this.#past('#>') : this.#text.indexOf('\n', this.#at);
    this.comments.push({ at: this.#at, end: end < 0 ? this.#text.length : end });
    this.#at = end < 0 ? this.#text.length : end;
    return true;
  }

  #operator(): ShellToken | null {
    const at = this.#at;
    const found = this.#match(this.#operators);
    if (!found) return null;
    if (found[0].endsWith('\n')) this.#readHeredocs();
    return { kind: 'operator', text: found[0], at };
  }

  #redirect(): RedirectToken | null {
    const at = this.#at;
    const found = this.#match(redirects);
    if (!found) return null;
    this.#match(blanks);
    const token: RedirectToken = {
      kind: 'redirect',
      text: found[2] ?? '',
      at,
      fd: found[1] ?? '',
      target: this.#word(),
      body: null,
    };
    if (/^<<-?$/.test(token.text)) this.#heredocs.push(token);
    if (token.text === '<<<') token.body = { text: token.target.text, at: token.target.at };
    return token;
  }

  #readHeredocs() {
    for (const token of this.#heredocs) {
      const delimiter = token.target.text.replace(/["'\\]/g, '').trim();
      const lines = delimiter === token.target.text.trim() ? 'replaced' : 'verbatim';
      const at = this.#at;
      for (let line = at; line < this.#text.length; line = this.#at) {
        const end = this.#text.indexOf('\n', line);
        this.#at = end < 0 ? this.#text.length : end + 1;
        const isLast = this.#text.slice(line, this.#at).trim() === delimiter;
        if (isLast || end < 0) token.body = { text: this.#text.slice(at, isLast ? line : this.#at), at, lines };
        if (isLast) break;
      }
    }
    this.#heredocs = [];
  }

  #word(): WordToken {
    const token: WordToken = { kind: 'word', text: '', at: this.#at, inner: [] };
    while (this.#at < this.#text.length) {
      if (this.#match(plain)) continue;
      if (this.#endsWord()) break;
      this.#readPart(token);
    }
    token.text = this.#text.slice(token.at, this.#at);
    return token;
  }

  #endsWord(): boolean {
    const one = this.#text.charAt(this.#at);
    if ((one === '<' || one === '>') && this.#text[this.#at + 1] === '(' && !this.#isPower) return false;
    if (one === '(') return !this.#isPower && this.#text[this.#at - 1] !== '=';
    if (this.#isPower && /[{}]/.test(one)) return true;
    return one === this.#until || /[\s;&|<>)]/.test(one);
  }

  /** One character, or what belongs together. */
  #readPart(word: WordToken) {
    const rest = this.#text.slice(this.#at, this.#at + 3);
    const escaping = this.#isPower ? '`' : '\\';
    if (rest === '${{') this.#at = this.#past('}}');
    else if (rest[0] === escaping) this.#at = Math.min(this.#at + 2, this.#text.length);
    else if (this.#isPower && /^@["']/.test(rest)) this.#at = this.#past(`\n${rest[1]}@`);
    else if (/^[$<>@=]?\(/.test(rest)) this.#readInner(word, rest.indexOf('(') + 1, ')');
    else if (rest[0] === '`') this.#readInner(word, 1, '`');
    else if (rest.startsWith('${')) this.#at = this.#past('}');
    else if (rest[0] === "'" || rest[0] === '"') this.#readQuoted(word, rest[0]);
    else this.#at++;
  }

  #readQuoted(word: WordToken, quote: string) {
    this.#at++;
    while (this.#at < this.#text.length && this.#text[this.#at] !== quote) {
      if (this.#match(plainInQuotes)) continue;
      if (this.#text.startsWith('${{', this.#at)) this.#at = this.#past('}}');
      else if (quote === "'" || !/[$`\\]/.test(this.#text[this.#at] ?? '')) this.#at++;
      else this.#readPart(word);
    }
    this.#at++;
  }

  #readInner(word: WordToken, skipped: number, until: string) {
    this.#at += skipped;
    word.inner.push(this.read(until));
    this.#at = Math.min(this.#at + 1, this.#text.length);
  }

  #past(mark: string): number {
    const found = this.#text.indexOf(mark, this.#at);
    return found < 0 ? this.#text.length : found + mark.length;
  }
}
