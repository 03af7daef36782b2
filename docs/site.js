/* Search where the site is opened from files: browsers start no worker there, so its script runs in a frame. */
if (location.protocol === "file:") {
  const load = (page, source) =>
    new Promise((done, failed) => {
      const script = page.createElement("script");
      Object.assign(script, { src: source, onload: done, onerror: failed });
      page.body.append(script);
    });
  // A word that begins with dashes is an option to look for, --against; lunr would leave its pages out.
  const QUERY = 2;
  const asWords = (message) =>
    message?.type === QUERY && typeof message.data === "string"
      ? { ...message, data: message.data.replace(/(^|\s)-+(?=\w)/g, "$1") }
      : message;
  // The worker's script looks for this name in its parent.
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(source) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...sources) =>
        sources.reduce((before, one) => before.then(() => load(inside.document, one)), Promise.resolve());
      this.ready = load(inside.document, source);
    }
    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data: asWords(data) })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
