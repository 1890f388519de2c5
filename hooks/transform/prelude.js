(() => {
  "use strict";
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  const ignore = () => {};
  define("console", { log: ignore, info: ignore, warn: ignore, error: ignore, debug: ignore, trace: ignore });

  // Timers run in the order of their times, without waiting.
  let now = 0, next = 1;
  const timers = new Map();
  const add = (run, wait, every, args) => {
    wait = Math.max(Number(wait) || 0, 1);
    timers.set(next, { run, at: now + wait, wait, every, args });
    return next++;
  };
  define("setTimeout", (run, wait, ...args) => add(run, wait, false, args));
  define("setInterval", (run, wait, ...args) => add(run, wait, true, args));
  define("clearTimeout", (id) => { timers.delete(id); });
  define("clearInterval", (id) => { timers.delete(id); });
  define("setImmediate", (run, ...args) => add(run, 0, false, args));
  define("queueMicrotask", (run) => { Promise.resolve().then(run); });
  define("structuredClone", (value) => value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

  const decode = (text) => {
    try {
      return decodeURIComponent(text.replace(/\+/g, " "));
    } catch {
      return text;
    }
  };
  const encode = (text) => encodeURIComponent(text).replace(/%20/g, "+").replace(/[!'()~]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());
  class URLSearchParams {
    constructor(init = "") {
      this.list = [];
      if (typeof init === "string") {
        for (const pair of init.replace(/^\?/, "").split("&")) {
          if (pair === "") continue;
          const at = pair.indexOf("=");
          this.list.push(at < 0 ? [decode(pair), ""] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))]);
        }
      } else if (init && typeof init[Symbol.iterator] === "function") {
        for (const [name, value] of init) this.list.push([String(name), String(value)]);
      } else {
        for (const name of Object.keys(init ?? {})) this.list.push([name, String(init[name])]);
      }
    }
    get size() { return this.list.length; }
    get(name) { const found = this.list.find((p) => p[0] === name); return found ? found[1] : null; }
    getAll(name) { return this.list.filter((p) => p[0] === name).map((p) => p[1]); }
    has(name) { return this.list.some((p) => p[0] === name); }
    append(name, value) { this.list.push([String(name), String(value)]); }
    delete(name) { this.list = this.list.filter((p) => p[0] !== name); }
    set(name, value) { this.delete(name); this.append(name, value); }
    forEach(each) { for (const [name, value] of this.list) each(value, name, this); }
    entries() { return this.list.map((p) => [...p])[Symbol.iterator](); }
    keys() { return this.list.map((p) => p[0])[Symbol.iterator](); }
    values() { return this.list.map((p) => p[1])[Symbol.iterator](); }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return this.list.map((p) => encode(p[0]) + "=" + encode(p[1])).join("&"); }
  }
  class URL {
    constructor(text) {
      const parts = /^([a-z][a-z0-9+.-]*:)\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(String(text));
      if (!parts) throw new TypeError("Invalid URL");
      this.protocol = parts[1].toLowerCase();
      this.host = parts[2].replace(/^.*@/, "").toLowerCase();
      const port = /:(\d+)$/.exec(this.host);
      this.port = port ? port[1] : "";
      this.hostname = port ? this.host.slice(0, -port[0].length) : this.host;
      this.pathname = parts[3] || "/";
      this.search = parts[4] && parts[4] !== "?" ? parts[4] : "";
      this.hash = parts[5] && parts[5] !== "#" ? parts[5] : "";
      this.origin = this.protocol + "//" + this.host;
      this.searchParams = new URLSearchParams(this.search);
    }
    get href() { return this.origin + this.pathname + this.search + this.hash; }
    toString() { return this.href; }
    toJSON() { return this.href; }
  }
  define("URL", URL);
  define("URLSearchParams", URLSearchParams);

  return {
    choose(module, name) {
      const chosen = name ? module?.[name] : typeof module === "function" ? module : module?.default ?? module?.transform;
      if (typeof chosen !== "function") throw new TypeError("the module must export a function");
      return chosen;
    },
    async run(transform, payload, headers, url, path) {
      return await transform({ payload: JSON.parse(payload), headers: JSON.parse(headers), url: new URL(url), path });
    },
    // Runs the next timer, and reports whether there was one.
    tick() {
      let first;
      for (const [id, timer] of timers) {
        if (first === undefined || timer.at < timers.get(first).at) first = id;
      }
      if (first === undefined) return false;
      const timer = timers.get(first);
      now = timer.at;
      if (timer.every) timer.at += timer.wait; else timers.delete(first);
      timer.run(...timer.args);
      return true;
    },
  };
})()
