// Lets the time of day stand still at the instant of the named world, in whichever process loads this before the rest.
const instant = Date.parse('2026-11-16T10:00:00Z');
const SystemDate = Date;

globalThis.Date = class extends SystemDate {
  constructor(...given) {
    super(...(given.length === 0 ? [instant] : given));
  }

  static now() {
    return instant;
  }
};
