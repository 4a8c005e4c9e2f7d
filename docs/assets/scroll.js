// What scrolls sideways can be reached by keyboard; whether a table does is known once it is laid out.
function letKeysScroll() {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .tabbed-labels, figure.home, .scroll, .formula, .steps > li")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
window.addEventListener("load", () => {
  letKeysScroll();
  document.querySelectorAll("details").forEach((part) => part.addEventListener("toggle", letKeysScroll));
});
window.addEventListener("resize", letKeysScroll);
